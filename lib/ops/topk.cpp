// SPDX-License-Identifier: Apache-2.0
#include "ops/topk.h"

#include <algorithm>

#include "base/error.h"
#include "ops/kernels.h"
#include "ops/work.h"

namespace dragoman::ops {
namespace {

uint32_t tiles(uint32_t cols) { return (cols + TOPK_TILE - 1) / TOPK_TILE; }

// Whether a load of four neighbours is aligned and inside the buffer in every row.
bool reads_quads(const Tensor& x) {
    return x.stride % 4 == 0 && x.data.offset % 16 == 0 && x.data.size_bytes >= uint64_t(x.rows) * x.stride * 4;
}

// A lane that runs out of its list scans its columns again, which many lanes rarely do.
kernels::TopkMergeTile topk_tile(const vulkan::Caps& caps, uint32_t k) {
    return caps.is_cpu() ? kernels::TopkMergeTile{.lanes = 8, .list = std::min(k, 8u)}
                         : kernels::TopkMergeTile{.lanes = 128, .list = std::min(k, 4u)};
}

}  // namespace

uint64_t topk_scratch_bytes(uint32_t capacity, uint32_t cols, uint32_t k) {
    return uint64_t(capacity) * tiles(cols) * (2 + 2 * k) * sizeof(uint32_t);
}

void topk(Recorder& rec, const TopkArgs& args) {
    const auto& [x, k, values, columns, log_sum, scratch, rows] = args;
    DRAGOMAN_ASSERT(k >= 1 && k <= kMaxTopK && x.cols > 0);
    DRAGOMAN_ASSERT(x.dtype == DType::f32 && x.rows >= rows.capacity);
    DRAGOMAN_ASSERT(scratch.size_bytes >= topk_scratch_bytes(rows.capacity, x.cols, k));
    count_work(rec, args);

    const shared::TopkPush push{.cols = x.cols, .stride = x.stride, .k = k, .tiles = tiles(x.cols)};
    const auto [lanes, list] = topk_tile(rec.caps(), k);
    rec.dispatch(kernels::topk_partial, {}, {rows.count, x.data, scratch}, push,
                 kernels::TopkPartialTile{.lanes = lanes, .list = list, .quads = reads_quads(x)},
                 groups(rows, 1, push.tiles));
    rec.dispatch(kernels::topk_merge, {}, {rows.count, scratch, values, columns, log_sum}, push,
                 kernels::TopkMergeTile{.lanes = lanes, .list = list}, groups(rows, 1));
}

}  // namespace dragoman::ops
