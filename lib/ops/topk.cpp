// SPDX-License-Identifier: Apache-2.0
#include "ops/topk.h"

#include <algorithm>

#include "base/error.h"
#include "ops/cpu_kernels.h"
#include "ops/kernels.h"
#include "ops/work.h"

namespace dragoman::ops {
namespace {

uint32_t tiles(uint32_t cols) { return (cols + TOPK_TILE - 1) / TOPK_TILE; }

// Whether a load of four neighbours is aligned and inside the buffer in every row.
bool reads_quads(const Tensor& x) {
    return x.stride % 4 == 0 && x.data.offset % 16 == 0 && x.data.size_bytes >= uint64_t(x.rows) * x.stride * 4;
}

kernels::TopkMergeTile merge_tile(const vulkan::Caps& caps, uint32_t k) {
    const WorkgroupSizes& sizes = workgroup_sizes(caps);
    return {.lanes = sizes.topk_merge,
            .list = std::min(k, sizes.topk_list),
            .in_step = runs_in_step(caps, sizes.topk_merge)};
}

}  // namespace

static_assert(TOPK_TILE == kPanel);

uint64_t column_records_bytes(uint32_t capacity, uint32_t cols) {
    return uint64_t(capacity) * tiles(cols) * RECORD_WORDS * sizeof(uint32_t);
}

void record_columns(Recorder& rec, const Tensor& x, const BufferView& records, const Extent& rows) {
    DRAGOMAN_ASSERT(x.dtype == DType::f32 && x.rows >= rows.capacity && x.cols > 0);
    DRAGOMAN_ASSERT(records.size_bytes >= column_records_bytes(rows.capacity, x.cols));
    const kernels::TopkPartialTile tile{.lanes = workgroup_sizes(rec.caps()).topk_partial, .quads = reads_quads(x)};
    const shared::TopkPush push{.cols = x.cols, .stride = x.stride, .k = 0, .tiles = tiles(x.cols)};
    rec.dispatch(kernels::topk_partial, {}, {rows.count, x.data, records}, push, tile,
                 groups(rows, 1, (push.tiles + tile.lanes - 1) / tile.lanes));
}

void topk(Recorder& rec, const TopkArgs& args) {
    const auto& [x, records, k, values, columns, log_sum, rows] = args;
    DRAGOMAN_ASSERT(k >= 1 && k <= kMaxTopK && x.cols > 0);
    DRAGOMAN_ASSERT(x.dtype == DType::f32 && x.rows >= rows.capacity);
    DRAGOMAN_ASSERT(records.size_bytes >= column_records_bytes(rows.capacity, x.cols));
    count_work(rec, args);
    rec.dispatch(kernels::topk_merge, {}, {rows.count, x.data, records, values, columns, log_sum},
                 shared::TopkPush{.cols = x.cols, .stride = x.stride, .k = k, .tiles = tiles(x.cols)},
                 merge_tile(rec.caps(), k), groups(rows, 1));
}

}  // namespace dragoman::ops
