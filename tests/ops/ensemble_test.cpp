// SPDX-License-Identifier: Apache-2.0
#include "ops/ensemble.h"

#include <limits>

#include "support/op_test.h"

namespace dragoman::test::ensemble_test {
namespace {

constexpr float kDisabled = -1e30f, kInfinity = std::numeric_limits<float>::infinity();

// Logits of a model, some of them disabled in one way or another.
Matrix logits(uint32_t rows, uint32_t cols, uint32_t seed) {
    Matrix x = random_matrix(rows, cols, seed, DType::f32, 8.0f);
    const float disabled[] = {kDisabled, -kInfinity, std::numeric_limits<float>::lowest(),
                              std::numeric_limits<float>::quiet_NaN()};
    for (uint32_t r = 0; r < rows; ++r)
        for (uint32_t c = seed; c < cols; c += 5 + seed) x.values[size_t(r) * cols + c] = disabled[(r + c) % 4];
    return x;
}

double log_sum(const Matrix& x, uint32_t row) {
    double sum = 0;
    for (uint32_t c = 0; c < x.cols; ++c)
        if (x(row, c) > kDisabled) sum += std::exp(double(x(row, c)));
    return std::log(sum);
}

struct Case {
    std::vector<float> weights;
    uint32_t rows, live, cols;
    bool probabilities, indirect;
};

// Models x values; kDisabled where there is no prediction.
double expected(const Case& c, const std::vector<Matrix>& models, uint32_t row, uint32_t col) {
    double logs = 0, sum = 0;
    bool all = true;
    for (size_t m = 0; m < models.size(); ++m) {
        if (!(models[m](row, col) > kDisabled)) {
            all = false;
            continue;
        }
        const double log_prob = models[m](row, col) - log_sum(models[m], row);
        logs += c.weights[m] * log_prob;
        sum += c.weights[m] * std::exp(log_prob);
    }
    if (c.probabilities) return sum > 0 ? std::log(sum) : kDisabled;
    return all ? logs : kDisabled;
}

void check(Context& context, const Case& c) {
    CAPTURE(c.cols);
    CAPTURE(c.probabilities);
    const LiveRows live(context, c.live, c.rows, c.indirect);
    std::vector<Matrix> models;
    const DeviceTensor y = blank(context, c.rows, c.cols, DType::f32, c.cols + 3);
    for (size_t m = 0; m < c.weights.size(); ++m) {
        models.push_back(logits(c.live, c.cols, uint32_t(m)));
        std::vector<float> sums;
        for (uint32_t r = 0; r < c.live; ++r) sums.push_back(float(log_sum(models[m], r)));
        const DeviceTensor x = upload(context, models[m], DType::f32, c.rows, c.cols + 5);
        const auto log_sums = upload(context, sums);
        run(context, live, [&](Recorder& rec) {
            ops::add_log_probs(rec, {.x = x,
                                     .log_sum = *log_sums,
                                     .weight = c.weights[m],
                                     .first = m == 0,
                                     .probabilities = c.probabilities,
                                     .y = y,
                                     .rows = live.extent});
        });
    }
    const Matrix found = download(context, y);
    Comparison comparison(DType::f32);
    for (uint32_t r = 0; r < c.live; ++r)
        for (uint32_t col = 0; col < c.cols; ++col) {
            const double value = expected(c, models, r, col);
            if (value == kDisabled) comparison.equal(r, col, found(r, col), kDisabled);
            else comparison.close(r, col, found(r, col), value, std::abs(value) + 32);
        }
    comparison.untouched(found, c.live, c.cols);
    comparison.check();
}

TEST_CASE("weighted log-probabilities and probabilities of several models match the double-precision loop") {
    const Case cases[] = {
        {{1.0f}, 3, 3, 9, false, false},
        {{0.5f}, 3, 2, 70, true, true},
        {{1.0f, 1.0f}, 5, 4, 65, false, true},
        {{0.7f, 0.3f}, 5, 5, 2500, false, false},
        {{0.7f, 0.3f}, 5, 5, 2500, true, false},
        {{0.2f, 3.0f, 0.8f}, 4, 3, 1024, false, true},
        {{0.2f, 0.3f, 0.5f}, 4, 3, 1025, true, true},
        {{1.0f, 2.0f}, 4, 0, 64, false, true},
    };
    on_every_device([&](Context& context) {
        for (const Case& c : cases) check(context, c);
    });
}

}  // namespace
}  // namespace dragoman::test::ensemble_test
