// SPDX-License-Identifier: Apache-2.0
#include "ops/recurrence.h"

#include "base/error.h"
#include "ops/kernels.h"
#include "ops/work.h"

namespace dragoman::ops {
namespace {

constexpr kernels::RecurrenceTile kRecurrenceTile{.invocations = 64};

shared::RecurrencePush make_push(const Recurrence& r, uint32_t x_stride, uint32_t x2_stride, const Tensor& y,
                                 const Extent& rows) {
    DRAGOMAN_ASSERT(r.states.dtype == DType::f32 && r.states.stride == r.states.cols);
    DRAGOMAN_ASSERT(r.states.rows >= 2 * r.cache_rows && rows.capacity <= r.cache_rows);
    DRAGOMAN_ASSERT(r.beam > 0 && r.cache_rows % r.beam == 0);
    DRAGOMAN_ASSERT(y.rows >= rows.capacity && y.cols == r.states.cols);
    return {.cols = r.states.cols,
            .cache_rows = r.cache_rows,
            .max_steps = r.max_steps,
            .beam = r.beam,
            .x_stride = x_stride,
            .x2_stride = x2_stride,
            .y_stride = y.stride,
            .x2_column = 0};
}

void check_input(const Tensor& x, uint32_t cols, const Tensor& y, const Extent& rows) {
    DRAGOMAN_ASSERT(x.rows >= rows.capacity && x.cols == cols && x.dtype == y.dtype);
}

BufferView recurrence_ancestry(const Recurrence& r, const Extent& rows) { return r.beam > 1 ? r.ancestry : rows.count; }

}  // namespace

void ssru_step(Recorder& rec, const Recurrence& r, const Tensor& candidate, const Tensor& forget,
               uint32_t forget_column, const Tensor& y, const Extent& rows) {
    check_input(candidate, candidate.cols, y, rows);
    check_input(forget, forget.cols, y, rows);
    DRAGOMAN_ASSERT(candidate.cols >= y.cols && forget.cols >= forget_column + y.cols);
    count_state(rec, y.cols, 2.0 * y.cols * size_bytes(y.dtype), y, rows);
    shared::RecurrencePush push = make_push(r, candidate.stride, forget.stride, y, rows);
    push.x2_column = forget_column;
    rec.dispatch(kernels::ssru_step, y.dtype,
                 {rows.count, r.live_rows, r.position, recurrence_ancestry(r, rows), r.states.data, candidate.data,
                  forget.data, y.data},
                 push, kRecurrenceTile, groups(rows, 1));
}

void gru_step(Recorder& rec, const Recurrence& r, const Tensor& input, const Tensor& state_product, const Tensor& y,
              const Extent& rows) {
    check_input(input, 3 * y.cols, y, rows);
    check_input(state_product, 3 * y.cols, y, rows);
    count_state(rec, y.cols, 6.0 * y.cols * size_bytes(y.dtype), y, rows);
    rec.dispatch(kernels::gru_step, y.dtype,
                 {rows.count, r.live_rows, r.position, recurrence_ancestry(r, rows), r.states.data, input.data,
                  state_product.data, y.data},
                 make_push(r, input.stride, state_product.stride, y, rows), kRecurrenceTile, groups(rows, 1));
}

void average_step(Recorder& rec, const Recurrence& r, const Tensor& x, const Tensor& y, const Extent& rows) {
    check_input(x, y.cols, y, rows);
    count_state(rec, y.cols, double(y.cols) * size_bytes(y.dtype), y, rows);
    rec.dispatch(kernels::average_step, y.dtype,
                 {rows.count, r.live_rows, r.position, recurrence_ancestry(r, rows), r.states.data, x.data, y.data},
                 make_push(r, x.stride, 0, y, rows), kRecurrenceTile, groups(rows, 1));
}

void load_state(Recorder& rec, const Recurrence& r, const Tensor& y, const Extent& rows) {
    count_work(rec, {.dtype = DType::f32, .rows = y.rows, .cols = y.cols, .stride = y.cols}, y, rows);
    rec.dispatch(kernels::load_state, y.dtype,
                 {rows.count, r.live_rows, r.position, recurrence_ancestry(r, rows), r.states.data, y.data},
                 make_push(r, 0, 0, y, rows), kRecurrenceTile, groups(rows, 1));
}

}  // namespace dragoman::ops
