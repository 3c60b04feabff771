// SPDX-License-Identifier: Apache-2.0
// Kernels of recurrent networks and of decoders without self-attention, as usual.cpp has the others.
#include "check/kernel_check.h"
#include "ops/additive_attention.h"
#include "ops/gated_cell.h"
#include "ops/recurrence.h"

namespace dragoman::check {
namespace recurrent_kernels {
namespace {

constexpr uint32_t kWidth = 512, kRows = 4, kSteps = 8;

class Recurrent {
public:
    Recurrent(vulkan::Recorder& rec, const vulkan::Buffer& buffer, DType type)
        : rec_(rec), type_(type), all_(buffer), rows_{.count = all_, .capacity = kRows},
          x_(tensor(kRows, kWidth, type)), recurrence_(of(kWidth)) {}

    void decoders() {
        const Tensor wide = tensor(kRows, 3 * kWidth, type_);
        ops::ssru_step(rec_, recurrence_, x_, x_, 0, x_, rows_);
        ops::gru_step(rec_, recurrence_, wide, wide, x_, rows_);
        ops::average_step(rec_, recurrence_, x_, x_, rows_);
        ops::load_state(rec_, recurrence_, x_, rows_);
    }

    void cells() {
        for (const auto cell : {ops::GatedCell::gru, ops::GatedCell::lstm})
            for (const uint32_t cols : {64u, kWidth}) {
                const Tensor gates = tensor(kRows, uint32_t(cell) * cols, type_);
                ops::gated_cell(rec_, {.cell = cell,
                                       .input = gates,
                                       .product = gates,
                                       .state = tensor(kRows, ops::state_cols(cell, cols), DType::f32),
                                       .y = tensor(kRows, cols, type_),
                                       .rows = rows_});
            }
        const Tensor hidden = tensor(kRows, kWidth, DType::f32);
        ops::load_cell_state(rec_, recurrence_, hidden, all_, hidden, x_, rows_);
        ops::keep_cell(rec_, recurrence_, hidden, rows_);
        ops::sentence_mean(rec_, x_, all_, x_, rows_);
        ops::start_state(rec_, x_, all_, hidden, rows_);
        ops::additive_attention(rec_, {.q = x_,
                                       .keys = x_,
                                       .values = x_,
                                       .vector = all_,
                                       .live_rows = all_,
                                       .source_begin = all_,
                                       .source_length = all_,
                                       .y = x_,
                                       .rows = rows_});
    }

private:
    Tensor tensor(uint32_t rows, uint32_t cols, DType type) const {
        return {.data = all_, .dtype = type, .rows = rows, .cols = cols, .stride = cols};
    }
    ops::Recurrence of(uint32_t cols) const {
        return {.states = tensor(2 * kRows, cols, DType::f32),
                .live_rows = all_,
                .position = all_,
                .ancestry = all_,
                .cache_rows = kRows,
                .max_steps = kSteps,
                .beam = kRows};
    }

    vulkan::Recorder& rec_;
    const DType type_;
    const BufferView all_;
    const ops::Extent rows_;
    const Tensor x_;
    const ops::Recurrence recurrence_;
};

}  // namespace
}  // namespace recurrent_kernels

void record_recurrent(vulkan::Recorder& rec, const vulkan::Buffer& buffer, DType type) {
    recurrent_kernels::Recurrent recurrent(rec, buffer, type);
    recurrent.decoders();
    recurrent.cells();
}

}  // namespace dragoman::check
