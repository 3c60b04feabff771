// SPDX-License-Identifier: Apache-2.0
#include "ops/elementwise.h"

#include "base/error.h"
#include "ops/kernels.h"
#include "ops/work.h"

namespace dragoman::ops {

void activate(Recorder& rec, const Tensor& x, const Tensor& y, Activation activation, const Extent& rows) {
    DRAGOMAN_ASSERT(x.rows >= rows.capacity && y.rows >= rows.capacity && x.cols == y.cols);
    count_work(rec, x, y, rows);
    rec.dispatch(kernels::activate, {x.dtype, y.dtype}, {rows.count, x.data, y.data},
                 shared::ActivatePush{.cols = x.cols, .x_stride = x.stride, .y_stride = y.stride},
                 kernels::ActivateTile{.activation = uint32_t(activation), .invocations = 64}, groups(rows, 1));
}

void gather_rows(Recorder& rec, const Tensor& x, const BufferView& map, const Tensor& y, const Extent& rows) {
    DRAGOMAN_ASSERT(y.rows >= rows.capacity && x.cols == y.cols && x.dtype == y.dtype);
    count_work(rec, x, y, rows);
    rec.dispatch(kernels::gather_rows, x.dtype, {rows.count, x.data, map, y.data},
                 shared::GatherRowsPush{
                     .cols = x.cols, .x_rows = x.rows, .x_stride = x.stride, .y_stride = y.stride},
                 kernels::GatherRowsTile{.invocations = 64}, groups(rows, 1));
}

}  // namespace dragoman::ops
