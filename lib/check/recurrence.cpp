// SPDX-License-Identifier: Apache-2.0
// Steps of recurrent layers.
#include <algorithm>
#include <cmath>

#include "check/kernel_check.h"
#include "ops/kernels.h"

namespace dragoman::check {
namespace {

using vulkan::KernelUse;

// Two slots of three rows, one at its first step; live rows leave one out.
constexpr uint32_t kRecurrenceBeam = 3, kRecurrenceCacheRows = 6, kRecurrenceSteps = 5, kRecurrenceColumns = 77, kRecurrenceRows = 5;
constexpr uint32_t kRecurrenceLive[kRecurrenceRows] = {0, 2, 3, 4, 5}, kPosition[kRecurrenceCacheRows] = {0, 0, 0, 3, 3, 3};

double recurrence_sigma(double x) { return 1 / (1 + std::exp(-x)); }

using Part = std::function<double(uint32_t)>;  // of a row's input: 0, and with a GRU 1 and 2
using Next = double (*)(uint32_t step, double before, const Part& x, const Part& u);

double ssru(uint32_t, double before, const Part& x, const Part& u) {
    return recurrence_sigma(u(0)) * before + (1 - recurrence_sigma(u(0))) * x(0);
}
double gru(uint32_t, double before, const Part& x, const Part& u) {
    const double reset = recurrence_sigma(x(0) + u(0)), update = recurrence_sigma(x(1) + u(1));
    return (1 - update) * std::tanh(x(2) + reset * u(2)) + update * before;
}
double average(uint32_t step, double before, const Part& x, const Part&) {
    return (step * before + x(0)) / (step + 1.0);
}
double recall(uint32_t, double before, const Part&, const Part&) { return before; }

// `dispatch(shared, inputs x and u, y, push)`, shared: count, live rows, positions, ancestry and states.
template <class Dispatch>
void step(Case& c, const KernelUse& use, Next next, Dispatch&& dispatch) {
    const uint32_t parts = next == gru ? 3 : 1, cols = parts * kRecurrenceColumns;
    const DType type = use.key.types[0];
    const Matrix x = c.matrix(kRecurrenceRows, cols, type), u = c.matrix(kRecurrenceRows, cols, type),
                 states = c.matrix(2 * kRecurrenceCacheRows, kRecurrenceColumns, DType::f32);
    const std::vector<uint32_t> ancestry = c.words_below(2 * kRecurrenceCacheRows * kRecurrenceSteps, kRecurrenceBeam);
    const Tensor y = c.blank(kRecurrenceRows + 1, kRecurrenceColumns, type);
    const std::array<BufferView, 5> common = {c.count(kRecurrenceRows), c.words({std::begin(kRecurrenceLive), std::end(kRecurrenceLive)}),
                                              c.words({std::begin(kPosition), std::end(kPosition)}),
                                              c.words(ancestry), states.tensor.data};
    const shared::RecurrencePush push{.cols = kRecurrenceColumns,
                                      .cache_rows = kRecurrenceCacheRows,
                                      .max_steps = kRecurrenceSteps,
                                      .beam = kRecurrenceBeam,
                                      .x_stride = cols,
                                      .x2_stride = cols,
                                      .y_stride = kRecurrenceColumns,
                                      .x2_column = 0};
    dispatch(common, x.tensor.data, u.tensor.data, y.data, push);
    c.run();
    const auto state = [&](uint32_t row, uint32_t i) {
        const uint32_t cached = kRecurrenceLive[row], t = kPosition[cached];
        double before = 0;
        if (t > 0) {
            const uint32_t beam = ancestry[((t & 1) * kRecurrenceCacheRows + cached) * kRecurrenceSteps + t - 1];
            before = states(((t - 1) & 1) * kRecurrenceCacheRows + cached / kRecurrenceBeam * kRecurrenceBeam + beam, i);
        }
        return next(t, before, [&](uint32_t part) { return x(row, part * kRecurrenceColumns + i); },
                    [&](uint32_t part) { return u(row, part * kRecurrenceColumns + i); });
    };
    c.compare(y, kRecurrenceRows, [&](uint32_t row, uint32_t i) {
        const double value = state(row, i);
        return Expected{next == ssru ? std::max(value, 0.0) : value, 2};
    });
    c.compare(states.tensor, 2 * kRecurrenceCacheRows, [&](uint32_t line, uint32_t i) {
        for (uint32_t row = 0; row < kRecurrenceRows && next != recall; ++row)
            if ((kPosition[kRecurrenceLive[row]] & 1) * kRecurrenceCacheRows + kRecurrenceLive[row] == line) return Expected{state(row, i), 2};
        return Expected{states(line, i), 0};
    });
}

void ssru_step(Case& c, const KernelUse& use) {
    step(c, use, ssru, [&](const auto& s, const auto& x, const auto& u, const auto& y, const auto& push) {
        c.rec.dispatch(kernels::ssru_step, use.key, {s[0], s[1], s[2], s[3], s[4], x, u, y}, push,
                       tile_of<kernels::RecurrenceTile>(use), vulkan::Groups(kRecurrenceRows));
    });
}
void gru_step(Case& c, const KernelUse& use) {
    step(c, use, gru, [&](const auto& s, const auto& x, const auto& u, const auto& y, const auto& push) {
        c.rec.dispatch(kernels::gru_step, use.key, {s[0], s[1], s[2], s[3], s[4], x, u, y}, push,
                       tile_of<kernels::RecurrenceTile>(use), vulkan::Groups(kRecurrenceRows));
    });
}
void average_step(Case& c, const KernelUse& use) {
    step(c, use, average, [&](const auto& s, const auto& x, const auto&, const auto& y, const auto& push) {
        c.rec.dispatch(kernels::average_step, use.key, {s[0], s[1], s[2], s[3], s[4], x, y}, push,
                       tile_of<kernels::RecurrenceTile>(use), vulkan::Groups(kRecurrenceRows));
    });
}
void recall_state(Case& c, const KernelUse& use) {
    step(c, use, recall, [&](const auto& s, const auto&, const auto&, const auto& y, const auto& push) {
        c.rec.dispatch(kernels::recall_state, use.key, {s[0], s[1], s[2], s[3], s[4], y}, push,
                       tile_of<kernels::RecurrenceTile>(use), vulkan::Groups(kRecurrenceRows));
    });
}

const std::vector<uint32_t> kLiveRows(std::begin(kRecurrenceLive), std::end(kRecurrenceLive)),
    kPositions(std::begin(kPosition), std::end(kPosition));

// Hidden states and memory cells, where the sentence's first token has its start.
void recall_cell(Case& c, const KernelUse& use) {
    constexpr uint32_t kTokens = 9, kWide = 2 * kRecurrenceColumns;
    const Matrix start = c.matrix(kTokens, kRecurrenceColumns, DType::f32),
                 states = c.matrix(2 * kRecurrenceCacheRows, kWide, DType::f32);
    const std::vector<uint32_t> ancestry = c.words_below(2 * kRecurrenceCacheRows * kRecurrenceSteps, kRecurrenceBeam), begin = {5, 2};
    const Tensor hidden = c.blank(kRecurrenceRows + 1, kWide, DType::f32), y = c.blank(kRecurrenceRows + 1, kRecurrenceColumns, use.key.types[0]);
    c.rec.dispatch(kernels::recall_cell, use.key,
                   {c.count(kRecurrenceRows), c.words(kLiveRows), c.words(kPositions), c.words(ancestry), states.tensor.data,
                    start.tensor.data, c.words(begin), hidden.data, y.data},
                   shared::RecurrencePush{.cols = kWide,
                                          .cache_rows = kRecurrenceCacheRows,
                                          .max_steps = kRecurrenceSteps,
                                          .beam = kRecurrenceBeam,
                                          .x_stride = kRecurrenceColumns,
                                          .x2_stride = 0,
                                          .y_stride = kRecurrenceColumns,
                                          .x2_column = 0},
                   tile_of<kernels::RecurrenceTile>(use), vulkan::Groups(kRecurrenceRows));
    c.run();
    const auto before = [&](uint32_t row, uint32_t i) -> Expected {
        const uint32_t cached = kRecurrenceLive[row], slot = cached / kRecurrenceBeam, t = kPosition[cached];
        if (t == 0) return {start(begin[slot], i % kRecurrenceColumns), 0};
        const uint32_t beam = ancestry[((t & 1) * kRecurrenceCacheRows + cached) * kRecurrenceSteps + t - 1];
        return {states(((t - 1) & 1) * kRecurrenceCacheRows + slot * kRecurrenceBeam + beam, i), 0};
    };
    c.compare(hidden, kRecurrenceRows, before);
    c.compare(y, kRecurrenceRows, before);
}

void keep_cell(Case& c, const KernelUse& use) {
    const Matrix hidden = c.matrix(kRecurrenceRows, kRecurrenceColumns, DType::f32),
                 states = c.matrix(2 * kRecurrenceCacheRows, kRecurrenceColumns, DType::f32);
    const BufferView ancestry = c.words(c.words_below(2 * kRecurrenceCacheRows * kRecurrenceSteps, kRecurrenceBeam));
    c.rec.dispatch(kernels::keep_cell, use.key,
                   {c.count(kRecurrenceRows), c.words(kLiveRows), c.words(kPositions), ancestry, states.tensor.data,
                    hidden.tensor.data},
                   shared::RecurrencePush{.cols = kRecurrenceColumns,
                                          .cache_rows = kRecurrenceCacheRows,
                                          .max_steps = kRecurrenceSteps,
                                          .beam = kRecurrenceBeam,
                                          .x_stride = 0,
                                          .x2_stride = 0,
                                          .y_stride = 0,
                                          .x2_column = 0},
                   tile_of<kernels::RecurrenceTile>(use), vulkan::Groups(kRecurrenceRows));
    c.run();
    c.compare(states.tensor, 2 * kRecurrenceCacheRows, [&](uint32_t line, uint32_t i) -> Expected {
        for (uint32_t row = 0; row < kRecurrenceRows; ++row)
            if ((kPosition[kRecurrenceLive[row]] & 1) * kRecurrenceCacheRows + kRecurrenceLive[row] == line) return {hidden(row, i), 0};
        return {states(line, i), 0};
    });
}

constexpr Row kRecurrenceTable[] = {{kernels::ssru_step.shader, ssru_step},
                          {kernels::gru_step.shader, gru_step},
                          {kernels::average_step.shader, average_step},
                          {kernels::recall_state.shader, recall_state},
                          {kernels::recall_cell.shader, recall_cell},
                          {kernels::keep_cell.shader, keep_cell}};

}  // namespace

std::span<const Row> recurrence_rows() { return kRecurrenceTable; }

}  // namespace dragoman::check
