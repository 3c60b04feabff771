// SPDX-License-Identifier: Apache-2.0
#include "ops/norm.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "ops/cpu_kernels.h"
#include "ops/kernels.h"
#include "ops/work.h"

namespace dragoman::ops {
namespace {

// The lanes decide the order of the sums, so they may depend on the device and the shape of a row only.
kernels::LayerNormTile layer_norm_tile(const vulkan::Caps& caps, const NormArgs& args) {
    constexpr uint32_t kMaxLanes = 128;
    const WorkgroupSizes& sizes = workgroup_sizes(caps);
    const uint32_t quads = (args.x.cols + 3) / 4;
    const uint32_t lanes = std::clamp(std::bit_ceil(quads / sizes.norm_quads), sizes.norm_least, kMaxLanes);
    return {.invocations = std::max(lanes, sizes.norm_invocations),
            .lanes = lanes,
            .count = (quads + lanes - 1) / lanes,
            .quads = (args.x.cols | args.x.stride | args.residual.stride | args.y.stride) % 4 == 0,
            .in_step = runs_in_step(caps, std::max(lanes, sizes.norm_invocations))};
}

}  // namespace

void layer_norm(Recorder& rec, const NormArgs& args) {
    const auto& [x, residual, gamma, beta, y, epsilon, rows] = args;
    DRAGOMAN_ASSERT(x.rows >= rows.capacity && y.rows >= rows.capacity && x.cols == y.cols && x.dtype == y.dtype);
    DRAGOMAN_ASSERT(!residual || (residual.rows >= rows.capacity && residual.cols == x.cols));
    DRAGOMAN_ASSERT(!residual || residual.dtype == x.dtype);
    count_work(rec, args);

    const auto tile = layer_norm_tile(rec.caps(), args);
    rec.dispatch(kernels::layer_norm, x.dtype,
                 {rows.count, x.data, residual ? residual.data : rows.count, gamma, beta ? beta : rows.count, y.data},
                 shared::LayerNormPush{.cols = x.cols,
                                       .x_stride = x.stride,
                                       .residual_stride = residual.stride,
                                       .y_stride = y.stride,
                                       .flags = (residual ? shared::kNormResidual : 0) | (beta ? shared::kNormBeta : 0),
                                       .epsilon = epsilon},
                 tile, groups(rows, tile.invocations / tile.lanes));
}

}  // namespace dragoman::ops
