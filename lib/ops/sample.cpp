// SPDX-License-Identifier: Apache-2.0
#include "ops/sample.h"

#include "base/error.h"
#include "ops/cpu_kernels.h"
#include "ops/kernels.h"
#include "ops/topk.h"
#include "ops/work.h"

namespace dragoman::ops {

void sample(Recorder& rec, const SampleArgs& args) {
    const auto& [x, records, inputs, live_rows, position, values, columns, rows] = args;
    DRAGOMAN_ASSERT(x.dtype == DType::f32 && x.rows >= rows.capacity && x.cols > 0);
    DRAGOMAN_ASSERT(records.size_bytes >= column_records_bytes(rows.capacity, x.cols));
    count_work(rec, args);
    const shared::SamplePush push{.cols = x.cols, .stride = x.stride, .tiles = (x.cols + TOPK_TILE - 1) / TOPK_TILE};
    rec.dispatch(kernels::sample, {}, {rows.count, x.data, records, inputs, live_rows, position, values, columns}, push,
                 {.lanes = workgroup_sizes(rec.caps()).sample}, groups(rows, 1));
}

}  // namespace dragoman::ops
