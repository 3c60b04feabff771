// SPDX-License-Identifier: Apache-2.0
#include "ops/recurrence.h"

#include <functional>

#include "check/reference.h"
#include "ops/kernels.h"
#include "support/op_test.h"

namespace dragoman::test::recurrence_test {
namespace {

enum class Kind { ssru, gru, average, load };
constexpr Kind kKinds[] = {Kind::ssru, Kind::gru, Kind::average, Kind::load};

const vulkan::Shader& shader_of(Kind kind) {
    switch (kind) {
        case Kind::ssru: return *kernels::ssru_step.shader;
        case Kind::gru: return *kernels::gru_step.shader;
        case Kind::average: return *kernels::average_step.shader;
        default: return *kernels::load_state.shader;
    }
}

struct Case {
    Kind kind = Kind::ssru;
    DType type = DType::f32;
    uint32_t cols = 0, beam = 1, slots = 3;
    bool indirect = false, in_place = false;
    bool joined = false;  // ssru: both inputs in one tensor
};

// The state after, from the state before and the two inputs of a row.
double next_state(Kind kind, uint32_t cols, uint32_t t, uint32_t c, double before,
                  const std::function<double(uint32_t)>& x, const std::function<double(uint32_t)>& u) {
    switch (kind) {
        case Kind::ssru: return reference::ssru(before, x(c), u(c));
        case Kind::gru:
            return reference::gru(
                before, [&](uint32_t part) { return x(part * cols + c); },
                [&](uint32_t part) { return u(part * cols + c); });
        case Kind::average: return reference::average(t, before, x(c));
        default: return before;
    }
}

// One step of some of the cache rows, each slot at a step of its own, beams of any parent.
void check(Context& context, const Case& c) {
    if (!runs(context, shader_of(c.kind), c.type)) return;
    const std::string what = fmt::format("{} {} cols {} beam {} indirect {} in place {}", shader_of(c.kind).name,
                                         name(c.type), c.cols, c.beam, c.indirect, c.in_place);
    INFO(what);
    constexpr uint32_t kMaxSteps = 7;
    const uint32_t rows = c.slots * c.beam, wide = c.kind == Kind::gru ? 3 * c.cols : c.cols;
    std::mt19937 engine(c.cols + c.beam);
    std::vector<uint32_t> position(rows), live, ancestry(size_t(2) * rows * kMaxSteps, ~0u), parent(rows);
    for (uint32_t row = 0; row < rows; ++row) {
        const uint32_t t = position[row] = row / c.beam * 3 % kMaxSteps;  // 0, 3, 6
        parent[row] = row / c.beam * c.beam + engine() % c.beam;
        if (t > 0 && c.beam > 1) ancestry[(size_t(t & 1) * rows + row) * kMaxSteps + t - 1] = parent[row] % c.beam;
        if (row % 4 != 1) live.push_back(row);
    }
    const auto count = uint32_t(live.size());
    live.resize(rows, 0);

    Matrix before = random_matrix(2 * rows, c.cols, 1);
    for (uint32_t row = 0; row < rows; ++row)  // what a first step must not read, and what no step reads
        for (uint32_t i = 0; i < c.cols; ++i) {
            const uint32_t t = position[row];
            if (t == 0) before.values[size_t(rows + row) * c.cols + i] = std::numeric_limits<float>::quiet_NaN();
            before.values[size_t((t & 1) * rows + row) * c.cols + i] = kSentinel;
        }
    const Matrix in = random_matrix(rows, wide, 2, c.type, 3.0f), in2 = random_matrix(rows, wide, 3, c.type, 3.0f);
    const auto states = upload(context, before, DType::f32);
    Matrix first = in;
    if (c.joined) {
        first = {rows, 2 * wide, std::vector<float>(size_t(rows) * 2 * wide)};
        for (uint32_t row = 0; row < rows; ++row)
            for (uint32_t i = 0; i < 2 * wide; ++i)
                first.values[size_t(row) * 2 * wide + i] = i < wide ? in(row, i) : in2(row, i - wide);
    }
    const auto x = upload(context, first, c.type, rows, first.cols + 2),
               u = upload(context, in2, c.type, rows, wide + 1);
    const auto y = c.in_place ? x : blank(context, rows, c.cols, c.type, c.cols + 3);
    const auto live_buffer = upload(context, live), position_buffer = upload(context, position),
               ancestry_buffer = upload(context, ancestry);
    const ops::Recurrence recurrence{.states = states,
                                     .live_rows = *live_buffer,
                                     .position = *position_buffer,
                                     .ancestry = *ancestry_buffer,
                                     .cache_rows = rows,
                                     .max_steps = kMaxSteps,
                                     .beam = c.beam};
    const LiveRows extent(context, count, rows, c.indirect);
    run(context, extent, [&](Recorder& rec) {
        switch (c.kind) {
            case Kind::ssru:
                return ops::ssru_step(rec, recurrence, x, c.joined ? x : u, c.joined ? c.cols : 0, y, extent.extent);
            case Kind::gru: return ops::gru_step(rec, recurrence, x, u, y, extent.extent);
            case Kind::average: return ops::average_step(rec, recurrence, x, y, extent.extent);
            case Kind::load: return ops::load_state(rec, recurrence, y, extent.extent);
        }
    });

    const Matrix after = download(context, states), out = download(context, y);
    Comparison state_comparison(DType::f32), comparison(c.type);
    std::vector<bool> written(2 * rows);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t row = live[i], t = position[row], own = (t & 1) * rows + row;
        if (c.kind != Kind::load) written[own] = true;
        for (uint32_t col = 0; col < c.cols; ++col) {
            const double was = t == 0 ? 0.0 : before((1 - (t & 1)) * rows + (c.beam > 1 ? parent[row] : row), col);
            const auto from = [i](const Matrix& m) { return [&m, i](uint32_t k) { return double(m(i, k)); }; };
            const double state = next_state(c.kind, c.cols, t, col, was, from(in), from(in2));
            if (c.kind != Kind::load) state_comparison.close(own, col, after(own, col), state, 3.0);
            comparison.close(i, col, out(i, col), c.kind == Kind::ssru ? std::max(state, 0.0) : state, 3.0);
        }
    }
    for (uint32_t row = 0; row < 2 * rows; ++row)
        for (uint32_t col = 0; col < c.cols && !written[row]; ++col)
            if (!std::isnan(before(row, col))) state_comparison.equal(row, col, after(row, col), before(row, col));
    state_comparison.check();
    if (!c.in_place) comparison.untouched(out, count, c.cols);
    comparison.check();
}

TEST_CASE("recurrent steps: every kind, type, width and beam") {
    on_every_device([](Context& context) {
        for (const Kind kind : kKinds)
            for (const DType type : {DType::f32, DType::f16})
                for (const uint32_t cols : {1u, 63u, 65u, 200u})
                    for (const uint32_t beam : {1u, 4u}) check(context, {kind, type, cols, beam, 3, beam == 4, false});
    });
}

TEST_CASE("a unit's two inputs in one tensor") {
    on_every_device([](Context& context) {
        for (const DType type : {DType::f32, DType::f16})
            for (const uint32_t beam : {1u, 3u})
                check(context, {.type = type, .cols = 65, .beam = beam, .indirect = beam == 1, .joined = true});
    });
}

TEST_CASE("recurrent steps in place") {
    on_every_device([](Context& context) {
        for (const Kind kind : {Kind::ssru, Kind::average})
            for (const uint32_t beam : {1u, 3u}) check(context, {kind, DType::f32, 66, beam, 3, true, true});
    });
}

}  // namespace
}  // namespace dragoman::test::recurrence_test
