// SPDX-License-Identifier: Apache-2.0
#include "ops/gated_cell.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "ops/cpu_kernels.h"
#include "ops/elementwise.h"
#include "ops/kernels.h"
#include "ops/work.h"

namespace dragoman::ops {
namespace {

constexpr kernels::RecurrenceTile kCellTile{.invocations = 64};

// The lanes decide the order of the sums, so they depend on the device and the shape of a row only.
uint32_t cell_lanes(const vulkan::Caps& caps, uint32_t cols) {
    const WorkgroupSizes& sizes = workgroup_sizes(caps);
    const uint32_t most = std::min(sizes.cell_most, std::bit_floor(caps.max_workgroup_invocations));
    return std::clamp(std::bit_ceil(cols), sizes.cell_least, most);
}

shared::RecurrencePush make_push(const Recurrence& r, const Tensor& state, const Extent& rows) {
    DRAGOMAN_ASSERT(r.states.dtype == DType::f32 && r.states.stride == r.states.cols);
    DRAGOMAN_ASSERT(r.states.rows >= 2 * r.cache_rows && rows.capacity <= r.cache_rows);
    DRAGOMAN_ASSERT(r.beam > 0 && r.cache_rows % r.beam == 0);
    DRAGOMAN_ASSERT(state.dtype == DType::f32 && state.cols == r.states.cols && state.stride == state.cols);
    DRAGOMAN_ASSERT(state.rows >= rows.capacity);
    return {.cols = r.states.cols,
            .cache_rows = r.cache_rows,
            .max_steps = r.max_steps,
            .beam = r.beam,
            .x_stride = 0,
            .x2_stride = 0,
            .y_stride = 0,
            .x2_column = 0};
}

BufferView cell_ancestry(const Recurrence& r, const Extent& rows) { return r.beam > 1 ? r.ancestry : rows.count; }

void check(const GatedCellArgs& args) {
    const uint32_t cols = args.y.cols, wide = uint32_t(args.cell) * cols;
    const auto is = [&](const Tensor& tensor, uint32_t width) {
        return tensor.rows >= args.rows.capacity && tensor.cols == width && tensor.dtype == args.y.dtype;
    };
    DRAGOMAN_ASSERT(is(args.product, wide) && is(args.y, cols) && (!args.input || is(args.input, wide)));
    DRAGOMAN_ASSERT(args.input || args.constant);
    DRAGOMAN_ASSERT(args.state.dtype == DType::f32 && args.state.rows >= args.rows.capacity &&
                    args.state.cols == state_cols(args.cell, cols) && args.state.stride == args.state.cols);
    DRAGOMAN_ASSERT(!args.residual || (is(args.residual, cols) && args.out));
    DRAGOMAN_ASSERT(!args.out || is(args.out, args.out.cols));
    DRAGOMAN_ASSERT(!args.out || args.out_column + cols <= args.out.cols);
    DRAGOMAN_ASSERT(args.norm.first <= wide && (args.norm.first == 0 || args.norm.state));
}

}  // namespace

void gated_cell(Recorder& rec, const GatedCellArgs& args) {
    check(args);
    count_state(rec, args.state.cols, 2.0 * args.product.cols * size_bytes(args.y.dtype), args.y, args.rows);
    const GateNorm& norm = args.norm;
    const uint32_t flags = (args.input ? shared::kCellInput : 0) | (args.at.sentence_begin ? shared::kCellTimed : 0) |
                           (args.at.backward ? shared::kCellBackward : 0) | (args.out ? shared::kCellOut : 0) |
                           (args.residual ? shared::kCellResidual : 0);
    const BufferView none = args.rows.count;
    const BufferView input_parameters = args.input ? norm.input : args.constant;
    rec.dispatch(kernels::gated_cell, args.y.dtype,
                 {args.rows.count, args.at.sentence_begin ? args.at.sentence_begin : none,
                  args.input ? args.input.data : args.product.data, input_parameters ? input_parameters : none,
                  args.product.data, norm.state ? norm.state : none, args.state.data, args.y.data,
                  args.residual ? args.residual.data : args.product.data, args.out ? args.out.data : args.y.data},
                 shared::GatedCellPush{.cols = args.y.cols,
                                       .x_stride = args.input.stride,
                                       .u_stride = args.product.stride,
                                       .y_stride = args.y.stride,
                                       .residual_stride = args.residual.stride,
                                       .out_stride = args.out.stride,
                                       .out_column = args.out_column,
                                       .norm_cols = norm.first,
                                       .flags = flags,
                                       .time = args.at.time,
                                       .epsilon = norm.epsilon},
                 kernels::GatedCellTile{.lanes = cell_lanes(rec.caps(), args.y.cols), .gates = uint32_t(args.cell)},
                 groups(args.rows, 1));
}

void load_cell_state(Recorder& rec, const Recurrence& r, const Tensor& start, const BufferView& source_begin,
                     const Tensor& state, const Tensor& y, const Extent& rows) {
    DRAGOMAN_ASSERT(start.dtype == DType::f32 && start.cols == y.cols && start.stride == start.cols);
    DRAGOMAN_ASSERT(y.rows >= rows.capacity && state.cols % y.cols == 0);
    count_work(rec, state, state, rows);
    shared::RecurrencePush push = make_push(r, state, rows);
    push.x_stride = start.stride;
    push.y_stride = y.stride;
    rec.dispatch(kernels::load_cell_state, y.dtype,
                 {rows.count, r.live_rows, r.position, cell_ancestry(r, rows), r.states.data, start.data, source_begin,
                  state.data, y.data},
                 push, kCellTile, groups(rows, 1));
}

void keep_cell(Recorder& rec, const Recurrence& r, const Tensor& state, const Extent& rows) {
    count_work(rec, state, state, rows);
    rec.dispatch(kernels::keep_cell, {},
                 {rows.count, r.live_rows, r.position, cell_ancestry(r, rows), r.states.data, state.data},
                 make_push(r, state, rows), kCellTile, groups(rows, 1));
}

void sentence_mean(Recorder& rec, const Tensor& x, const BufferView& sentence_begin, const Tensor& y,
                   const Extent& sentences) {
    DRAGOMAN_ASSERT(x.cols == y.cols && x.dtype == y.dtype && y.rows >= sentences.capacity);
    count_work(rec, x, y, sentences);
    rec.dispatch(kernels::pool, {x.dtype, y.dtype}, {sentences.count, x.data, sentence_begin, y.data},
                 shared::PoolPush{.cols = y.cols, .x_stride = x.stride, .y_stride = y.stride, .first = 0},
                 kernels::PoolTile{.invocations = 64}, groups(sentences, 1));
}

void start_state(Recorder& rec, const Tensor& x, const BufferView& sentence_begin, const Tensor& y,
                 const Extent& sentences) {
    DRAGOMAN_ASSERT(y.dtype == DType::f32);
    activate(rec, x, y, Activation::tanh, sentences, sentence_begin);
}

}  // namespace dragoman::ops
