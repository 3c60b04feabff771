// SPDX-License-Identifier: Apache-2.0
#include "ops/gated_cell.h"

#include "check/reference.h"
#include "ops/kernels.h"
#include "support/op_test.h"

namespace dragoman::test::gated_cell_test {
namespace {

using ops::GatedCell;

struct Case {
    GatedCell cell = GatedCell::gru;
    DType type = DType::f32;
    uint32_t cols = 0;
    int norms = 0;  // 0: none; 1: one for all gates; 2: the last gate has its own
    bool input = true, timed = false, backward = false, residual = false, indirect = false;
};

// A row after its norms: gamma, then beta.
std::vector<double> normed(const Matrix& m, uint32_t row, const Case& c, const std::vector<float>& parameters) {
    std::vector<double> y;
    for (uint32_t i = 0; i < m.cols; ++i) y.push_back(m(row, i));
    if (c.norms == 0) return y;
    const uint32_t first = c.norms == 2 ? 2 * c.cols : m.cols;
    for (const auto& [begin, end] : {std::pair(0u, first), std::pair(first, m.cols)}) {
        const reference::Norm norm = reference::norm(begin, end, true, 1e-3, [&](uint32_t i) { return y[i]; });
        for (uint32_t i = begin; i < end; ++i) y[i] = norm(y[i]) * parameters[i] + parameters[m.cols + i];
    }
    return y;
}

const std::vector<uint32_t> kLengths = {3, 1, 5, 2, 4};
constexpr uint32_t kTime = 2;

void check(Context& context, const Case& c) {
    if (!runs(context, *kernels::gated_cell.shader, c.type)) return;
    const std::string what = fmt::format("cell {} {} cols {} norms {} input {} timed {} backward {} residual {}",
                                         int(c.cell), name(c.type), c.cols, c.norms, c.input, c.timed, c.backward,
                                         c.residual);
    INFO(what);
    const auto rows = uint32_t(kLengths.size()), gates = uint32_t(c.cell), wide = gates * c.cols;
    const uint32_t live = rows - 1, capacity = rows, states = ops::state_cols(c.cell, c.cols);
    std::vector<uint32_t> begin{0};
    for (const uint32_t length : kLengths) begin.push_back(begin.back() + length);
    const uint32_t tokens = c.timed ? begin.back() : rows;

    const Matrix x = random_matrix(tokens, wide, 1, c.type, 2.0f), u = random_matrix(rows, wide, 2, c.type, 2.0f);
    const Matrix before = random_matrix(rows, states, 3), added = random_matrix(tokens, c.cols, 4, c.type);
    const std::vector<float> x_of = random_matrix(1, 2 * wide, 5).values, u_of = random_matrix(1, 2 * wide, 6).values;
    const auto x_at = upload(context, x, c.type, 0, wide + 1), u_at = upload(context, u, c.type, 0, wide + 2);
    const auto state = upload(context, before, DType::f32), residual = upload(context, added, c.type, 0, c.cols + 3);
    const auto y = blank(context, rows, c.cols, c.type, c.cols + 1);
    const auto out = blank(context, tokens, 2 * c.cols, c.type, 2 * c.cols + 1);
    const auto x_parameters = upload(context, x_of), u_parameters = upload(context, u_of);
    const auto begin_buffer = upload(context, begin);

    const LiveRows extent(context, live, capacity, c.indirect);
    run(context, extent, [&](Recorder& rec) {
        ops::GatedCellArgs args{.cell = c.cell,
                                .product = u_at,
                                .state = state,
                                .y = y,
                                .out = out,
                                .out_column = c.cols,
                                .rows = extent.extent};
        if (c.input) args.input = x_at;
        else args.constant = *x_parameters;
        if (c.norms > 0)
            args.norm = {.input = c.input ? BufferView(*x_parameters) : BufferView(),
                         .state = *u_parameters,
                         .first = c.norms == 2 ? 2 * c.cols : wide,
                         .epsilon = 1e-3f};
        if (c.timed) args.at = {.sentence_begin = *begin_buffer, .time = kTime, .backward = c.backward};
        if (c.residual) args.residual = residual;
        ops::gated_cell(rec, args);
    });

    const Matrix after = download(context, state), hidden = download(context, y), all = download(context, out);
    Comparison states_of(DType::f32), results(c.type);
    std::vector<bool> written(tokens);
    for (uint32_t row = 0; row < rows; ++row) {
        const bool steps = row < live && (!c.timed || kTime < kLengths[row]);
        if (!steps) {
            for (uint32_t i = 0; i < states; ++i) states_of.equal(row, i, after(row, i), before(row, i));
            for (uint32_t i = 0; i < c.cols; ++i) results.equal(row, i, hidden(row, i), kSentinel);
            continue;
        }
        const uint32_t token = !c.timed ? row : c.backward ? begin[row + 1] - 1 - kTime : begin[row] + kTime;
        written[token] = true;
        std::vector<double> in(x_of.begin(), x_of.begin() + wide);
        if (c.input) in = normed(x, token, c, x_of);
        const std::vector<double> product = normed(u, row, c, u_of);
        for (uint32_t i = 0; i < c.cols; ++i) {
            const auto input = [&](uint32_t gate) { return in[gate * c.cols + i]; };
            const auto state = [&](uint32_t gate) { return product[gate * c.cols + i]; };
            double result;
            if (c.cell == GatedCell::gru) {
                result = reference::gru(before(row, i), input, state);
            } else {
                const reference::LstmState next = reference::lstm(before(row, c.cols + i), input, state);
                states_of.close(row, c.cols + i, after(row, c.cols + i), next.cell, 3.0);
                result = next.hidden;
            }
            states_of.close(row, i, after(row, i), result, 3.0);
            results.close(row, i, hidden(row, i), result, 3.0);
            results.close(token, i, all(token, c.cols + i), result + (c.residual ? added(token, i) : 0), 3.0);
        }
    }
    for (uint32_t token = 0; token < tokens; ++token)
        for (uint32_t i = 0; i < (written[token] ? c.cols : 2 * c.cols); ++i)
            results.equal(token, i, all(token, i), kSentinel);
    states_of.check();
    results.check();
}

TEST_CASE("gated cells: every kind, norm, type and width") {
    on_every_device([](Context& context) {
        for (const GatedCell cell : {GatedCell::gru, GatedCell::lstm})
            for (const DType type : {DType::f32, DType::f16})
                for (const uint32_t cols : {1u, 33u, 130u})
                    for (const int norms : {0, 1, 2}) {
                        if (norms == 2 && cell == GatedCell::lstm) continue;
                        if (cols == 1 && norms > 0) continue;  // a value alone has no variance
                        check(context, {.cell = cell, .type = type, .cols = cols, .norms = norms});
                        check(context, {.cell = cell,
                                        .type = type,
                                        .cols = cols,
                                        .norms = norms,
                                        .input = false,
                                        .residual = true,
                                        .indirect = true});
                        for (const bool backward : {false, true})
                            check(context, {.cell = cell,
                                            .type = type,
                                            .cols = cols,
                                            .norms = norms,
                                            .timed = true,
                                            .backward = backward,
                                            .residual = backward});
                    }
    });
}

TEST_CASE("gated cells as GPUs run them") {
    on_every_device(
        [](Context& context) {
            for (const int norms : {0, 1, 2})
                check(context, {.cols = 70, .norms = norms, .timed = true, .residual = true});
            check(context, {.cell = GatedCell::lstm, .cols = 70, .norms = 1, .input = false});
        },
        true);
}

// Checks the state that a row starts from, and the one it leaves for the next step.
void check_load_cell_state(Context& context, DType type, uint32_t beam, bool memory_cells) {
    if (!runs(context, *kernels::load_cell_state.shader, type)) return;
    CAPTURE(name(type));
    CAPTURE(beam);
    constexpr uint32_t kSlots = 3, kMaxSteps = 5, kCols = 37, kTokens = 9;
    const uint32_t rows = kSlots * beam, states = memory_cells ? 2 * kCols : kCols;
    std::vector<uint32_t> position(rows), live, ancestry(size_t(2) * rows * kMaxSteps, ~0u), parent(rows);
    const std::vector<uint32_t> source_begin = {4, 0, 7};
    for (uint32_t row = 0; row < rows; ++row) {
        const uint32_t t = position[row] = row / beam * 2 % kMaxSteps;  // 0, 2, 4
        parent[row] = row / beam * beam + (row * 7 + 1) % beam;
        if (t > 0 && beam > 1) ancestry[(size_t(t & 1) * rows + row) * kMaxSteps + t - 1] = parent[row] % beam;
        if (row % 4 != 1) live.push_back(row);
    }
    const auto count = uint32_t(live.size());
    live.resize(rows, 0);
    const Matrix kept_before = random_matrix(2 * rows, states, 1), start = random_matrix(kTokens, kCols, 2);
    const auto kept = upload(context, kept_before, DType::f32), start_at = upload(context, start, DType::f32);
    const auto state = blank(context, rows, states, DType::f32), y = blank(context, rows, kCols, type, kCols + 1);
    const auto live_at = upload(context, live), position_at = upload(context, position),
               ancestry_at = upload(context, ancestry), begin_at = upload(context, source_begin);
    const ops::Recurrence recurrence{.states = kept,
                                     .live_rows = *live_at,
                                     .position = *position_at,
                                     .ancestry = *ancestry_at,
                                     .cache_rows = rows,
                                     .max_steps = kMaxSteps,
                                     .beam = beam};
    const LiveRows extent(context, count, rows);
    run(context, extent, [&](Recorder& rec) {
        ops::load_cell_state(rec, recurrence, start_at, *begin_at, state, y, extent.extent);
        ops::keep_cell(rec, recurrence, state, extent.extent);
    });
    const Matrix recalled = download(context, state), hidden = download(context, y), after = download(context, kept);
    Comparison comparison(DType::f32), rounded(type);
    std::vector<bool> written(2 * rows);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t row = live[i], t = position[row], own = (t & 1) * rows + row;
        written[own] = true;
        for (uint32_t c = 0; c < states; ++c) {
            const float expected = t == 0 ? start(source_begin[row / beam], c % kCols)
                                          : kept_before((1 - (t & 1)) * rows + (beam > 1 ? parent[row] : row), c);
            comparison.equal(i, c, recalled(i, c), expected);
            comparison.equal(own, c, after(own, c), expected);
            if (c < kCols) rounded.close(i, c, hidden(i, c), expected, 1.0);
        }
    }
    for (uint32_t row = 0; row < 2 * rows; ++row)
        for (uint32_t c = 0; c < states && !written[row]; ++c)
            comparison.equal(row, c, after(row, c), kept_before(row, c));
    rounded.untouched(hidden, count, kCols);
    comparison.check();
    rounded.check();
}

TEST_CASE("states are recalled along the hypotheses and kept") {
    on_every_device([](Context& context) {
        for (const DType type : {DType::f32, DType::f16})
            for (const uint32_t beam : {1u, 3u})
                for (const bool memory_cells : {false, true}) check_load_cell_state(context, type, beam, memory_cells);
    });
}

TEST_CASE("sentences' means and start states") {
    on_every_device([](Context& context) {
        for (const DType type : {DType::f32, DType::f16}) {
            if (!runs(context, *kernels::pool.shader, {type, type})) continue;
            constexpr uint32_t kCols = 70;
            std::vector<uint32_t> begin{0};
            for (const uint32_t length : kLengths) begin.push_back(begin.back() + length);
            const auto sentences = uint32_t(kLengths.size()), live = sentences - 1;
            const Matrix x = random_matrix(begin.back(), kCols, 1, type, 2.0f);
            const auto x_at = upload(context, x, type, 0, kCols + 1);
            const auto begin_at = upload(context, begin);
            const auto mean = blank(context, sentences, kCols, type, kCols + 2);
            const auto starts = blank(context, begin.back(), kCols, DType::f32);
            const LiveRows extent(context, live, sentences);
            run(context, extent, [&](Recorder& rec) {
                ops::sentence_mean(rec, x_at, *begin_at, mean, extent.extent);
                ops::start_state(rec, mean, *begin_at, starts, extent.extent);
            });
            const Matrix means = download(context, mean), start = download(context, starts);
            Comparison comparison(type), start_comparison(DType::f32);
            for (uint32_t s = 0; s < live; ++s)
                for (uint32_t c = 0; c < kCols; ++c) {
                    double expected = 0;
                    for (uint32_t t = begin[s]; t < begin[s + 1]; ++t) expected += double(x(t, c)) / kLengths[s];
                    comparison.close(s, c, means(s, c), expected, 2.0);
                    start_comparison.close(begin[s], c, start(begin[s], c), std::tanh(double(means(s, c))), 1.0);
                }
            for (uint32_t t = 0; t < begin.back(); ++t)
                if (std::ranges::find(begin.begin(), begin.begin() + live, t) == begin.begin() + live)
                    for (uint32_t c = 0; c < kCols; ++c) start_comparison.equal(t, c, start(t, c), kSentinel);
            comparison.untouched(means, live, kCols);
            comparison.check();
            start_comparison.check();
        }
    });
}

}  // namespace
}  // namespace dragoman::test::gated_cell_test
