// SPDX-License-Identifier: Apache-2.0
// Steps of recurrent layers.
#include <algorithm>

#include "check/kernel_check.h"
#include "check/reference.h"
#include "ops/kernels.h"

namespace dragoman::check {
namespace recurrence_checks {
namespace {

using vulkan::KernelUse;

// Two slots of three rows each, one at its first step; one row is not live.
constexpr uint32_t kBeam = 3, kCacheRows = 6, kSteps = 5, kColumns = 77, kRows = 5;
constexpr uint32_t kLive[kRows] = {0, 2, 3, 4, 5}, kPosition[kCacheRows] = {0, 0, 0, 3, 3, 3};

using Part = std::function<double(uint32_t)>;  // of a row's input: 0, and with a GRU 1 and 2
using Next = double (*)(uint32_t step, double before, const Part& x, const Part& u);

double ssru(uint32_t, double before, const Part& x, const Part& u) { return reference::ssru(before, x(0), u(0)); }
double gru(uint32_t, double before, const Part& x, const Part& u) { return reference::gru(before, x, u); }
double average(uint32_t step, double before, const Part& x, const Part&) {
    return reference::average(step, before, x(0));
}
double load(uint32_t, double before, const Part&, const Part&) { return before; }

// `dispatch(shared, inputs x and u, y, push)`; shared: count, live rows, positions, ancestry and states.
template <class Dispatch>
void step(Case& c, const KernelUse& use, Next next, Dispatch&& dispatch) {
    const uint32_t parts = next == gru ? 3 : 1, cols = parts * kColumns;
    const DType type = use.key.types[0];
    const Matrix x = c.matrix(kRows, cols, type), u = c.matrix(kRows, cols, type),
                 states = c.matrix(2 * kCacheRows, kColumns, DType::f32);
    const std::vector<uint32_t> ancestry = c.words_below(2 * kCacheRows * kSteps, kBeam);
    const Tensor y = c.blank(kRows + 1, kColumns, type);
    const std::array<BufferView, 5> common = {c.count(kRows), c.words({std::begin(kLive), std::end(kLive)}),
                                              c.words({std::begin(kPosition), std::end(kPosition)}), c.words(ancestry),
                                              states.tensor.data};
    const shared::RecurrencePush push{.cols = kColumns,
                                      .cache_rows = kCacheRows,
                                      .max_steps = kSteps,
                                      .beam = kBeam,
                                      .x_stride = cols,
                                      .x2_stride = cols,
                                      .y_stride = kColumns,
                                      .x2_column = 0};
    dispatch(common, x.tensor.data, u.tensor.data, y.data, push);
    c.run();
    const auto state = [&](uint32_t row, uint32_t i) {
        const uint32_t cached = kLive[row], t = kPosition[cached];
        double before = 0;
        if (t > 0) {
            const uint32_t beam = ancestry[((t & 1) * kCacheRows + cached) * kSteps + t - 1];
            before = states(((t - 1) & 1) * kCacheRows + cached / kBeam * kBeam + beam, i);
        }
        return next(
            t, before, [&](uint32_t part) { return x(row, part * kColumns + i); },
            [&](uint32_t part) { return u(row, part * kColumns + i); });
    };
    c.compare(y, kRows, [&](uint32_t row, uint32_t i) {
        const double value = state(row, i);
        return Expected{next == ssru ? std::max(value, 0.0) : value, 2};
    });
    c.compare(states.tensor, 2 * kCacheRows, [&](uint32_t line, uint32_t i) {
        for (uint32_t row = 0; row < kRows && next != load; ++row)
            if ((kPosition[kLive[row]] & 1) * kCacheRows + kLive[row] == line) return Expected{state(row, i), 2};
        return Expected{states(line, i), 0};
    });
}

void ssru_step(Case& c, const KernelUse& use) {
    step(c, use, ssru, [&](const auto& s, const auto& x, const auto& u, const auto& y, const auto& push) {
        c.rec.dispatch(kernels::ssru_step, use.key, {s[0], s[1], s[2], s[3], s[4], x, u, y}, push,
                       tile_of<kernels::RecurrenceTile>(use), vulkan::Groups(kRows));
    });
}
void gru_step(Case& c, const KernelUse& use) {
    step(c, use, gru, [&](const auto& s, const auto& x, const auto& u, const auto& y, const auto& push) {
        c.rec.dispatch(kernels::gru_step, use.key, {s[0], s[1], s[2], s[3], s[4], x, u, y}, push,
                       tile_of<kernels::RecurrenceTile>(use), vulkan::Groups(kRows));
    });
}
void average_step(Case& c, const KernelUse& use) {
    step(c, use, average, [&](const auto& s, const auto& x, const auto&, const auto& y, const auto& push) {
        c.rec.dispatch(kernels::average_step, use.key, {s[0], s[1], s[2], s[3], s[4], x, y}, push,
                       tile_of<kernels::RecurrenceTile>(use), vulkan::Groups(kRows));
    });
}
void load_state(Case& c, const KernelUse& use) {
    step(c, use, load, [&](const auto& s, const auto&, const auto&, const auto& y, const auto& push) {
        c.rec.dispatch(kernels::load_state, use.key, {s[0], s[1], s[2], s[3], s[4], y}, push,
                       tile_of<kernels::RecurrenceTile>(use), vulkan::Groups(kRows));
    });
}

const std::vector<uint32_t> kLiveRows(std::begin(kLive), std::end(kLive)),
    kPositions(std::begin(kPosition), std::end(kPosition));

// Checks hidden states and memory cells, where the sentence's first token has its initial state.
void load_cell_state(Case& c, const KernelUse& use) {
    constexpr uint32_t kTokens = 9, kWide = 2 * kColumns;
    const Matrix start = c.matrix(kTokens, kColumns, DType::f32), states = c.matrix(2 * kCacheRows, kWide, DType::f32);
    const std::vector<uint32_t> ancestry = c.words_below(2 * kCacheRows * kSteps, kBeam), begin = {5, 2};
    const Tensor hidden = c.blank(kRows + 1, kWide, DType::f32), y = c.blank(kRows + 1, kColumns, use.key.types[0]);
    c.rec.dispatch(kernels::load_cell_state, use.key,
                   {c.count(kRows), c.words(kLiveRows), c.words(kPositions), c.words(ancestry), states.tensor.data,
                    start.tensor.data, c.words(begin), hidden.data, y.data},
                   shared::RecurrencePush{.cols = kWide,
                                          .cache_rows = kCacheRows,
                                          .max_steps = kSteps,
                                          .beam = kBeam,
                                          .x_stride = kColumns,
                                          .x2_stride = 0,
                                          .y_stride = kColumns,
                                          .x2_column = 0},
                   tile_of<kernels::RecurrenceTile>(use), vulkan::Groups(kRows));
    c.run();
    const auto before = [&](uint32_t row, uint32_t i) -> Expected {
        const uint32_t cached = kLive[row], slot = cached / kBeam, t = kPosition[cached];
        if (t == 0) return {start(begin[slot], i % kColumns), 0};
        const uint32_t beam = ancestry[((t & 1) * kCacheRows + cached) * kSteps + t - 1];
        return {states(((t - 1) & 1) * kCacheRows + slot * kBeam + beam, i), 0};
    };
    c.compare(hidden, kRows, before);
    c.compare(y, kRows, before);
}

void keep_cell(Case& c, const KernelUse& use) {
    const Matrix hidden = c.matrix(kRows, kColumns, DType::f32),
                 states = c.matrix(2 * kCacheRows, kColumns, DType::f32);
    const BufferView ancestry = c.words(c.words_below(2 * kCacheRows * kSteps, kBeam));
    c.rec.dispatch(kernels::keep_cell, use.key,
                   {c.count(kRows), c.words(kLiveRows), c.words(kPositions), ancestry, states.tensor.data,
                    hidden.tensor.data},
                   shared::RecurrencePush{.cols = kColumns,
                                          .cache_rows = kCacheRows,
                                          .max_steps = kSteps,
                                          .beam = kBeam,
                                          .x_stride = 0,
                                          .x2_stride = 0,
                                          .y_stride = 0,
                                          .x2_column = 0},
                   tile_of<kernels::RecurrenceTile>(use), vulkan::Groups(kRows));
    c.run();
    c.compare(states.tensor, 2 * kCacheRows, [&](uint32_t line, uint32_t i) -> Expected {
        for (uint32_t row = 0; row < kRows; ++row)
            if ((kPosition[kLive[row]] & 1) * kCacheRows + kLive[row] == line) return {hidden(row, i), 0};
        return {states(line, i), 0};
    });
}

constexpr Row kTable[] = {{kernels::ssru_step.shader, ssru_step},
                          {kernels::gru_step.shader, gru_step},
                          {kernels::average_step.shader, average_step},
                          {kernels::load_state.shader, load_state},
                          {kernels::load_cell_state.shader, load_cell_state},
                          {kernels::keep_cell.shader, keep_cell}};

}  // namespace
}  // namespace recurrence_checks

std::span<const Row> recurrence_rows() { return recurrence_checks::kTable; }

}  // namespace dragoman::check
