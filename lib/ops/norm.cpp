// SPDX-License-Identifier: Apache-2.0
#include "ops/norm.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "ops/kernels.h"

namespace dragoman::ops {
namespace {

// The lanes decide the order of the sums, so they may depend on the device and the width only.
kernels::LayerNormTile layer_norm_tile(const vulkan::Caps& caps, uint32_t cols) {
    const uint32_t lanes = caps.is_cpu() ? 8 : std::clamp(std::bit_ceil(cols / 4), 32u, 128u);
    return {.invocations = caps.is_cpu() ? lanes : 128, .lanes = lanes};
}

}  // namespace

void layer_norm(Recorder& rec, const NormArgs& args) {
    const auto& [x, residual, gamma, beta, y, epsilon, rows] = args;
    DRAGOMAN_ASSERT(x.rows >= rows.capacity && y.rows >= rows.capacity && x.cols == y.cols && x.dtype == y.dtype);
    DRAGOMAN_ASSERT(!residual || (residual.rows >= rows.capacity && residual.cols == x.cols));
    DRAGOMAN_ASSERT(!residual || residual.dtype == x.dtype);

    const auto tile = layer_norm_tile(rec.caps(), x.cols);
    rec.dispatch(kernels::layer_norm, x.dtype,
                 {rows.count, x.data, residual ? residual.data : rows.count, gamma, beta ? beta : rows.count, y.data},
                 shared::LayerNormPush{.cols = x.cols,
                                       .x_stride = x.stride,
                                       .residual_stride = residual.stride,
                                       .y_stride = y.stride,
                                       .flags = (residual ? shared::kNormResidual : 0) |
                                                (beta ? shared::kNormBeta : 0),
                                       .epsilon = epsilon},
                 tile, groups(rows, tile.invocations / tile.lanes));
}

}  // namespace dragoman::ops
