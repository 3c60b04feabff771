// SPDX-License-Identifier: Apache-2.0
#include "ops/elementwise.h"

#include "base/error.h"
#include "ops/kernels.h"
#include "ops/work.h"

namespace dragoman::ops {
namespace {

void record_blend(Recorder& rec, const Tensor& gate, const Tensor& x, const Tensor& other, const Tensor& y,
                  const Extent& rows) {
    DRAGOMAN_ASSERT(x.rows >= rows.capacity && other.rows >= rows.capacity && y.rows >= rows.capacity);
    DRAGOMAN_ASSERT(x.cols == y.cols && other.cols == y.cols && x.dtype == y.dtype && other.dtype == y.dtype);
    rec.dispatch(kernels::blend, y.dtype, {rows.count, x.data, gate ? gate.data : rows.count, y.data, other.data},
                 shared::BlendPush{.cols = y.cols,
                                   .gate_stride = gate.stride,
                                   .x_stride = x.stride,
                                   .other_stride = other.stride,
                                   .y_stride = y.stride,
                                   .gated = bool(gate)},
                 kernels::BlendTile{.invocations = 64}, groups(rows, 1));
}

}  // namespace

void activate(Recorder& rec, const Tensor& x, const Tensor& y, Activation activation, const Extent& rows,
              const BufferView& y_rows) {
    DRAGOMAN_ASSERT(x.rows >= rows.capacity && y.rows >= rows.capacity && x.cols == y.cols);
    count_work(rec, x, y, rows);
    rec.dispatch(kernels::activate, {x.dtype, y.dtype}, {rows.count, x.data, y_rows ? y_rows : rows.count, y.data},
                 shared::ActivatePush{
                     .cols = x.cols, .x_stride = x.stride, .y_stride = y.stride, .mapped = bool(y_rows)},
                 kernels::ActivateTile{.invocations = 64, .activation = uint32_t(activation)}, groups(rows, 1));
}

void add(Recorder& rec, const Tensor& x, const Tensor& other, const Tensor& y, const Extent& rows) {
    record_blend(rec, {}, x, other, y, rows);
}

void blend(Recorder& rec, const Tensor& gate, const Tensor& x, const Tensor& other, const Tensor& y,
           const Extent& rows) {
    DRAGOMAN_ASSERT(gate.rows >= rows.capacity && gate.cols == y.cols && gate.dtype == y.dtype);
    record_blend(rec, gate, x, other, y, rows);
}

void gather_rows(Recorder& rec, const Tensor& x, const BufferView& map, const Tensor& y, const Extent& rows) {
    DRAGOMAN_ASSERT(y.rows >= rows.capacity && x.cols == y.cols && x.dtype == y.dtype);
    count_work(rec, x, y, rows);
    rec.dispatch(kernels::gather_rows, x.dtype, {rows.count, x.data, map, y.data},
                 shared::GatherRowsPush{.cols = x.cols, .x_rows = x.rows, .x_stride = x.stride, .y_stride = y.stride},
                 kernels::GatherRowsTile{.invocations = 64}, groups(rows, 1));
}

}  // namespace dragoman::ops
