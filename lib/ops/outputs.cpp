// SPDX-License-Identifier: Apache-2.0
#include "ops/outputs.h"

#include <algorithm>

#include "base/error.h"
#include "ops/cpu_kernels.h"
#include "ops/kernels.h"
#include "ops/topk.h"
#include "ops/weight.h"
#include "ops/work.h"

namespace dragoman::ops {

void gather_outputs(Recorder& rec, const Weight& all, const BufferView& ids, const Weight& some, const Extent& count) {
    gather_outputs(rec, all, 0, all.n, ids, some, count);
}

void gather_outputs(Recorder& rec, const Weight& all, uint32_t begin, uint32_t outputs, const BufferView& ids,
                    const Weight& some, const Extent& count) {
    DRAGOMAN_ASSERT(begin % 2 == 0 && begin + all.n <= outputs);
    DRAGOMAN_ASSERT(all.k == some.k && all.dtype == some.dtype && count.capacity <= some.n);
    DRAGOMAN_ASSERT(some.data.size_bytes >= panel_bytes(some.n, some.k, some.dtype));
    const bool floats = all.dtype == DType::f32 || all.dtype == DType::f16;
    const shared::GatherOutputsPush push{.n = outputs,
                                         .begin = begin,
                                         .end = begin + all.n,
                                         .inputs = floats ? all.k : panel_word_rows(all.k, all.dtype),
                                         .halves = all.dtype == DType::f16};
    count_gathered(rec, some, count);
    constexpr uint32_t kMaxGroups = 65535;
    const uint32_t column_groups = std::min((push.inputs + shared::kGatherInputs - 1) / shared::kGatherInputs,
                                            kMaxGroups);
    rec.dispatch(kernels::gather_outputs, {}, {count.count, all.data, ids, some.data}, push, {},
                 groups({.count = count.count, .capacity = some.n}, kPanel, column_groups));
}

void spread_columns(Recorder& rec, const SpreadColumnsArgs& args) {
    const auto& [x, places, y, records, permission, whole, rows] = args;
    DRAGOMAN_ASSERT(x.dtype == DType::f32 && y.dtype == DType::f32);
    DRAGOMAN_ASSERT(x.rows >= rows.capacity && y.rows >= rows.capacity);
    DRAGOMAN_ASSERT(records.size_bytes >= column_records_bytes(rows.capacity, y.cols));
    count_work(rec, x, y, rows);
    const kernels::SpreadColumnsTile tile{.lanes = workgroup_sizes(rec.caps()).topk_partial};
    const shared::SpreadColumnsPush push{.x_cols = x.cols,
                                         .x_stride = x.stride,
                                         .y_cols = y.cols,
                                         .y_stride = y.stride,
                                         .beam = permission ? permission->beam : 0,
                                         .whole = whole};
    const uint32_t columns = TOPK_TILE * tile.lanes;
    rec.dispatch(kernels::spread_columns, {},
                 {rows.count, x.data, places, permission ? permission->live_rows : rows.count,
                  permission ? permission->bits : rows.count, y.data, records},
                 push, tile, groups(rows, 1, (y.cols + columns - 1) / columns));
}

}  // namespace dragoman::ops
