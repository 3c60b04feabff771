// SPDX-License-Identifier: Apache-2.0
#include "ops/additive_attention.h"

#include "check/reference.h"
#include "ops/kernels.h"
#include "support/op_test.h"

namespace dragoman::test::additive_attention_test {
namespace {

struct Case {
    DType type = DType::f32;
    uint32_t cols = 0, beam = 1;
    std::vector<uint32_t> lengths;
    bool weights = true, indirect = false;
};

void check(Context& context, const Case& c) {
    if (!runs(context, *kernels::additive_attention.shader, c.type)) return;
    const std::string what = fmt::format("{} cols {} beam {} lengths {}", name(c.type), c.cols, c.beam,
                                         fmt::join(c.lengths, ","));
    INFO(what);
    constexpr uint32_t kMaxSteps = 4, kGap = 2;
    const auto slots = uint32_t(c.lengths.size());
    const uint32_t rows = slots * c.beam;
    std::vector<uint32_t> begin, live, position(rows);
    uint32_t tokens = 0, stride = 1;
    for (const uint32_t length : c.lengths) {
        tokens += kGap;
        begin.push_back(tokens);
        tokens += length;
        stride = std::max(stride, length + 1);
    }
    for (uint32_t row = 0; row < rows; ++row) {
        position[row] = row % kMaxSteps;
        if (row % 4 != 1) live.push_back(row);
    }
    const auto count = uint32_t(live.size());
    live.resize(rows, 0);
    const Matrix q = random_matrix(rows, c.cols, 1, c.type), keys = random_matrix(tokens, c.cols, 2, c.type),
                 values = random_matrix(tokens, c.cols, 3, c.type), v = random_matrix(1, c.cols, 4);
    const auto q_at = upload(context, q, c.type, 0, c.cols + 1), keys_at = upload(context, keys, c.type, 0, c.cols + 2),
               values_at = upload(context, values, c.type, 0, c.cols + 3);
    const auto y = blank(context, rows, c.cols, c.type, c.cols + 1);
    const auto weights = blank(context, rows * kMaxSteps, stride, DType::f32);
    const auto v_at = upload(context, v.values), begin_at = upload(context, begin),
               length_at = upload(context, c.lengths), live_at = upload(context, live),
               position_at = upload(context, position);
    const LiveRows extent(context, count, rows, c.indirect);
    run(context, extent, [&](Recorder& rec) {
        ops::additive_attention(rec, {.q = q_at,
                                      .keys = keys_at,
                                      .values = values_at,
                                      .vector = *v_at,
                                      .live_rows = *live_at,
                                      .source_begin = *begin_at,
                                      .source_length = *length_at,
                                      .beam = c.beam,
                                      .y = y,
                                      .weights = c.weights ? BufferView(*weights.buffer) : BufferView(),
                                      .position = *position_at,
                                      .weights_stride = stride,
                                      .max_steps = kMaxSteps,
                                      .rows = extent.extent});
    });
    const Matrix result = download(context, y), shares = download(context, weights);
    Comparison comparison(c.type), weight_comparison(DType::f32);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t slot = live[i] / c.beam, length = c.lengths[slot];
        std::vector<double> scores(length);
        for (uint32_t key = 0; key < length; ++key)
            for (uint32_t col = 0; col < c.cols; ++col)
                scores[key] += v(0, col) * std::tanh(double(keys(begin[slot] + key, col)) + q(i, col));
        const std::vector<double> weight = reference::softmax(std::move(scores));
        for (uint32_t col = 0; col < c.cols; ++col) {
            double expected = 0;
            for (uint32_t key = 0; key < length; ++key) expected += weight[key] * values(begin[slot] + key, col);
            comparison.close(i, col, result(i, col), expected, 3.0);
        }
        const uint32_t at = live[i] * kMaxSteps + position[live[i]];
        for (uint32_t key = 0; c.weights && key < length; ++key)
            weight_comparison.close(at, key, shares(at, key), weight[key], 1.0);
        for (uint32_t key = c.weights ? length : 0; key < stride; ++key)
            weight_comparison.equal(at, key, shares(at, key), kSentinel);
    }
    comparison.untouched(result, count, c.cols);
    comparison.check();
    weight_comparison.check();
}

void check_all(Context& context) {
    for (const DType type : {DType::f32, DType::f16})
        for (const uint32_t cols : {1u, 33u, 96u})
            for (const uint32_t beam : {1u, 3u})
                check(context, {type, cols, beam, {3, 1, 40, 7}, beam == 3, beam == 1});
    check(context, {DType::f32, 20, 2, {256, 257, 0, 700}, true, false});  // several blocks of keys
    check(context, {DType::f32, 20, 1, {600}, false, false});
}

TEST_CASE("additive attention: types, widths, beams, sources of any length") { on_every_device(check_all); }

TEST_CASE("additive attention as GPUs run it") { on_every_device(check_all, true); }

}  // namespace
}  // namespace dragoman::test::additive_attention_test
