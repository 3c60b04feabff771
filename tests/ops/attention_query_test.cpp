// SPDX-License-Identifier: Apache-2.0
// Cross-attention that makes its queries itself.
#include "check/reference.h"
#include "ops/attention.h"
#include "ops/kernels.h"
#include "support/op_test.h"
#include "support/sweep.h"

namespace dragoman::test::attention_query_test {
namespace {

constexpr DType f32 = DType::f32, f16 = DType::f16;
constexpr float kEpsilon = 1e-3f, kScale = 0.125f;
enum class Norm : uint8_t { none, scaled, centred };

struct Case {
    uint32_t heads = 3, head_dim = 64, inputs = 136, beam = 3;
    DType type = f32, w = f32;
    Norm norm = Norm::centred;
    bool bias = true, weights = false;
    std::vector<uint32_t> lengths{5, 70, 0}, live{0, 1, 2, 4, 5, 6, 8};  // per slot; cache rows
    uint32_t spare = 2;  // rows that are not live
    uint32_t pad = 8;    // between rows
    uint32_t width() const { return heads * head_dim; }
};

struct Data {
    Matrix x, w, gamma, beta, bias, memory;
    std::vector<uint32_t> begin;
    explicit Data(const Case& c)
        : x(random_matrix(uint32_t(c.live.size()), c.inputs, 1, c.type, 3.0f)),
          w(random_matrix(c.width(), c.inputs, 2, c.w, 0.3f)), gamma(random_matrix(1, c.inputs, 3)),
          beta(random_matrix(1, c.inputs, 4)), bias(random_matrix(1, c.width(), 5)) {
        uint32_t rows = 1;
        for (const uint32_t length : c.lengths) {
            begin.push_back(rows);
            rows += length + 1;
        }
        memory = random_matrix(rows, 2 * c.width(), 6, c.type);
    }
};

struct Output {
    Matrix y, normed;
    uint32_t dispatches = 0;
};

// With a tile, or as the operation chooses.
Output compute(Context& context, const Case& c, const Data& data, std::optional<uint32_t> tile) {
    const uint32_t capacity = uint32_t(c.live.size()) + c.spare, d = c.width(), slots = uint32_t(c.lengths.size());
    std::vector<uint32_t> live_rows = c.live, sources = data.begin;
    live_rows.resize(capacity, 0x7fffffff);
    sources.resize(64);  // where a binding may begin
    sources.insert(sources.end(), c.lengths.begin(), c.lengths.end());
    const auto x = upload(context, data.x, c.type, capacity, c.inputs + c.pad);
    const auto memory = upload(context, data.memory, c.type, 0, 2 * d + c.pad);
    const auto w = upload_weight(context, data.w, c.w);
    const auto gamma = upload(context, data.gamma.values), beta = upload(context, data.beta.values),
               bias = upload(context, data.bias.values), rows = upload(context, live_rows),
               ranges = upload(context, sources), position = upload(context, std::vector<uint32_t>(64, 0));
    const auto q = blank(context, capacity, d, c.type), y = blank(context, capacity, d, c.type, d + c.pad);
    const auto normed = blank(context, capacity, c.inputs, c.type, c.inputs + c.pad);
    const auto shares = blank(context, slots * c.beam, 128, f32);
    const LiveRows live(context, uint32_t(c.live.size()), capacity);
    ops::StepCrossAttentionArgs args{.q = q,
                                     .memory = memory,
                                     .live_rows = *rows,
                                     .source_begin = {*ranges, 0, slots * 4ull},
                                     .source_length = {*ranges, 256, slots * 4ull},
                                     .beam = c.beam,
                                     .y = y,
                                     .heads = {.count = c.heads, .head_dim = c.head_dim, .scale = kScale},
                                     .rows = live.extent,
                                     .query = {.x = x, .w = w.weight}};
    if (c.bias) args.query.bias = *bias;
    if (c.norm != Norm::none)
        args.query.norm = {.gamma = *gamma,
                           .beta = c.norm == Norm::centred ? BufferView(*beta) : BufferView(),
                           .epsilon = kEpsilon,
                           .y = normed};
    if (c.weights) {
        args.weights = *shares.buffer;
        args.position = *position;
        args.weights_heads = args.max_steps = 1;
        args.weights_stride = 128;
    }
    Recorder recorder(context.shared_from_this());
    if (tile) ops::step_cross_attention_query(recorder, args, *tile);
    else ops::step_cross_attention(recorder, args);
    const auto list = recorder.finish();
    context.wait(context.submit(*list));
    return {download(context, y), download(context, normed), list->dispatches()};
}

// The row with its norm.
std::vector<double> exact_row(const Case& c, const Data& data, uint32_t row) {
    std::vector<double> x(c.inputs);
    for (uint32_t i = 0; i < c.inputs; ++i) x[i] = data.x(row, i);
    if (c.norm == Norm::none) return x;
    const bool centred = c.norm == Norm::centred;
    const auto norm = reference::norm(0, c.inputs, centred, kEpsilon, [&](uint32_t i) { return x[i]; });
    for (uint32_t i = 0; i < c.inputs; ++i) x[i] = norm(x[i]) * data.gamma(0, i) + (centred ? data.beta(0, i) : 0.0);
    return x;
}

// The attention of a row and a head, from the normalised row `x`.
std::vector<double> attended(const Case& c, const Data& data, uint32_t row, uint32_t head,
                             const std::vector<double>& x) {
    std::vector<double> y(c.head_dim), scores;
    const uint32_t slot = c.live[row] / c.beam, first = head * c.head_dim;
    for (uint32_t j = 0; j < c.lengths[slot]; ++j) {
        double score = 0;
        for (uint32_t i = first; i < first + c.head_dim; ++i) {
            double q = c.bias ? data.bias(0, i) : 0.0;
            for (uint32_t k = 0; k < c.inputs; ++k) q += x[k] * data.w(i, k);
            score += kScale * q * data.memory(data.begin[slot] + j, i);
        }
        scores.push_back(score);
    }
    const std::vector<double> weights = reference::softmax(std::move(scores));
    for (uint32_t j = 0; j < weights.size(); ++j)
        for (uint32_t i = 0; i < c.head_dim; ++i)
            y[i] += weights[j] * data.memory(data.begin[slot] + j, c.width() + first + i);
    return y;
}

// A compiler may leave out the rounding to halves of numbers that are not stored; NVIDIA's does. So the queries are those
// of the normalised rows as they were stored, or as they were before, but of all of them alike.
void check_against_loops(const Case& c, const Data& data, const Output& out, bool in_one) {
    Comparison norms(c.type), results(c.type), unrounded(c.type);
    const bool may_be_unrounded = in_one && c.type == f16 && c.norm != Norm::none;
    const uint32_t rows = uint32_t(c.live.size());
    for (uint32_t row = 0; row < rows; ++row) {
        std::vector<double> x = exact_row(c, data, row);
        const std::vector<double> before = x;
        if (c.norm != Norm::none)
            for (uint32_t i = 0; i < c.inputs; ++i) {
                norms.close(row, i, out.normed(row, i), x[i], 8);
                x[i] = out.normed(row, i);  // as it was stored
            }
        // Halves are rounded on their way in, and queries that are stored.
        const double magnitude = c.type == f32 ? 30 : in_one ? 60 : 3000;
        for (uint32_t head = 0; head < c.heads; ++head) {
            const std::vector<double> y = attended(c, data, row, head, x);
            for (uint32_t i = 0; i < c.head_dim; ++i)
                results.close(row, head * c.head_dim + i, out.y(row, head * c.head_dim + i), y[i], magnitude);
            if (!may_be_unrounded) continue;
            const std::vector<double> other = attended(c, data, row, head, before);
            for (uint32_t i = 0; i < c.head_dim; ++i)
                unrounded.close(row, head * c.head_dim + i, out.y(row, head * c.head_dim + i), other[i], magnitude);
        }
    }
    if (c.norm != Norm::none) norms.untouched(out.normed, rows, c.inputs);
    for (Comparison* comparison : {&results, &unrounded}) comparison->untouched(out.y, rows, c.width());
    norms.check();
    (may_be_unrounded && unrounded.right() ? unrounded : results).check();
}

bool runs_query(const Context& context, const Case& c) {
    return runs(context, *kernels::step_cross_attention_query.shader, {c.type, DType::u32, c.w});
}

void check_tile(Context& context, uint32_t tile, const Case& c) {
    if (!runs_query(context, c)) return;
    const std::string what = fmt::format("head {} inputs {} beam {} types {} {} norm {}", c.head_dim, c.inputs, c.beam,
                                         name(c.type), name(c.w), int(c.norm));
    INFO(what);
    const Data data(c);
    check_against_loops(c, data, compute(context, c, data, tile), true);
}

template <class F>
void on_gpus(F&& f) {
    on_every_device(f, true);
}

}  // namespace

TEST_CASE("cross-attention makes its queries itself: types and norms") {
    on_gpus([](Context& context) {
        constexpr DType kTypes[][2] = {{f32, f32}, {f16, f16}, {f32, f16}};
        for (const auto& [type, w] : kTypes) check_tile(context, 0, {.type = type, .w = w});
        check_tile(context, 1, {.type = f16, .w = f16, .norm = Norm::scaled, .bias = false});
        check_tile(context, 2, {.type = f32, .w = f32, .norm = Norm::none});
    });
}

TEST_CASE("cross-attention makes its queries itself: heads, inputs and beams") {
    on_gpus([](Context& context) {
        for (const DType type : sweep({f16, f32}, 1)) {
            check_tile(context, 3, {.heads = 5, .head_dim = 8, .inputs = 8, .type = type, .w = type});
            check_tile(context, 1, {.heads = 2, .head_dim = 80, .inputs = 520, .type = type, .w = type});
            check_tile(context, 0, {.beam = 1, .type = type, .w = type, .lengths = {1, 3, 33, 64}, .live = {3, 0, 2}});
            check_tile(context, 2, {.type = type, .w = type, .live = {}});
        }
        // More rows of a sentence than share a workgroup.
        check_tile(context, 2,
                   {.beam = 12, .lengths = {9, 40}, .live = {0, 1, 2, 3, 5, 7, 8, 9, 10, 11, 12, 13, 20, 23}});
    });
}

TEST_CASE("queries are made in the attention for few rows, and before it where it cannot be") {
    on_gpus([](Context& context) {
        const Case few{};
        const auto dispatches = [&](const Case& c) {
            const Data data(c);
            const Output out = compute(context, c, data, std::nullopt);
            check_against_loops(c, data, out, out.dispatches == 1);
            return out.dispatches;
        };
        const auto changed = [&](auto&& change) {
            Case c = few;
            change(c);
            return c;
        };
        CHECK(dispatches(few) == 1);
        CHECK(dispatches(changed([](Case& c) { c.spare = 50; })) > 1);
        CHECK(dispatches(changed([](Case& c) { c.weights = true; })) > 1);
        CHECK(dispatches(changed([](Case& c) { c.pad = 3; })) > 1);
        CHECK(dispatches(changed([](Case& c) { c.inputs = 131; })) > 1);
        CHECK(dispatches(changed([](Case& c) { c.head_dim = 18; })) > 1);
    });
}

TEST_CASE("a row has the same bits whatever rows share its workgroup") {
    on_gpus([](Context& context) {
        for (const DType type : sweep({f16, f32}, 1)) {
            Case c{.inputs = 264, .beam = 4, .type = type, .w = type, .lengths = {33}, .live = {0, 1, 2, 3}};
            if (!runs_query(context, c)) continue;
            const Data data(c);
            const Output all = compute(context, c, data, 0);
            Comparison same(type);
            for (uint32_t row = 0; row < 4; ++row) {
                Data alone = data;
                alone.x = {1,
                           c.inputs,
                           {data.x.values.begin() + row * c.inputs, data.x.values.begin() + (row + 1) * c.inputs}};
                c.live = {row};
                const Output one = compute(context, c, alone, 0);
                for (uint32_t i = 0; i < c.width(); ++i) same.equal(row, i, one.y(0, i), all.y(row, i));
                for (uint32_t i = 0; i < c.inputs; ++i) same.equal(row, i, one.normed(0, i), all.normed(row, i));
            }
            same.check();
        }
    });
}

}  // namespace dragoman::test::attention_query_test
