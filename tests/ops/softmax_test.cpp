// SPDX-License-Identifier: Apache-2.0
#include "ops/softmax.h"

#include <doctest/doctest.h>

#include <limits>

#include "ops/kernels.h"
#include "support/op_test.h"

namespace softmax_test {

using namespace dragoman;
using namespace dragoman::test;

namespace {

constexpr float kDisabled = -1e30f, kInfinity = std::numeric_limits<float>::infinity();

// exp(scale x) / sum, or its logarithm, over the columns above kDisabled.
std::vector<double> softmax_row(const Matrix& x, uint32_t row, double scale, bool logarithm) {
    double maximum = -kInfinity, sum = 0;
    for (uint32_t c = 0; c < x.cols; ++c)
        if (x(row, c) > kDisabled) maximum = std::max(maximum, scale * x(row, c));
    for (uint32_t c = 0; c < x.cols; ++c)
        if (x(row, c) > kDisabled) sum += std::exp(scale * x(row, c) - maximum);
    std::vector<double> result;
    for (uint32_t c = 0; c < x.cols; ++c) {
        const double shifted = scale * x(row, c) - maximum;
        if (x(row, c) > kDisabled) result.push_back(logarithm ? shifted - std::log(sum) : std::exp(shifted) / sum);
        else result.push_back(logarithm ? kDisabled : 0);
    }
    return result;
}

// Every third row has disabled columns of all kinds, every fifth has nothing else.
Matrix softmax_input(uint32_t rows, uint32_t cols, DType dtype) {
    Matrix x = random_matrix(rows, cols, rows * 1000 + cols, dtype, 8.0f);
    const float disabled[] = {dtype == DType::f16 ? -kInfinity : kDisabled, -kInfinity,
                              std::numeric_limits<float>::quiet_NaN()};
    for (uint32_t r = 0; r < rows; ++r)
        for (uint32_t c = 0; c < cols; ++c)
            if (r % 5 == 4 || (r % 3 == 2 && c % 4 != 1)) x.values[size_t(r) * cols + c] = disabled[(r + c) % 3];
    return x;
}

struct Case {
    uint32_t rows, live, cols;
    float scale;
    bool logarithm, indirect, in_place;
};

const Case kCases[] = {
    {5, 5, 1, 1.0f, false, false, false},    {6, 6, 7, 1.0f, true, false, false},
    {9, 6, 63, 0.5f, false, true, false},    {10, 10, 65, 1.0f, true, true, false},
    {8, 5, 200, 1.0f, false, false, true},   {7, 7, 300, 2.0f, true, false, true},
    {4, 0, 64, 1.0f, false, true, false},    {3, 3, 1023, 0.25f, true, false, false},
    {2, 2, 32003, 1.0f, true, false, false}, {2, 2, 32003, 1.0f, false, false, false},
};

void check(Context& context, const Case& c, DType dtype) {
    CAPTURE(c.cols);
    CAPTURE(c.logarithm);
    const Matrix x = softmax_input(c.live, c.cols, dtype);
    const DeviceTensor dx = upload(context, x, dtype, c.rows, c.cols + 3);
    const DeviceTensor dy = c.in_place ? dx : blank(context, c.rows, c.cols, dtype, c.cols + 5);
    const LiveRows live(context, c.live, c.rows, c.indirect);
    run(context, live, [&](Recorder& rec) { ops::softmax(rec, dx, dy, c.scale, c.logarithm, live.extent); });

    const Matrix y = download(context, dy);
    Comparison comparison(dtype);
    for (uint32_t r = 0; r < c.live; ++r) {
        const std::vector<double> expected = softmax_row(x, r, c.scale, c.logarithm);
        for (uint32_t col = 0; col < c.cols; ++col) {
            if (x(r, col) > kDisabled)
                comparison.close(r, col, y(r, col), expected[col], std::abs(expected[col]) + c.scale * 8);
            else comparison.equal(r, col, y(r, col), rounded(float(expected[col]), dtype));
        }
    }
    comparison.untouched(y, c.live, c.cols);
    comparison.check();
}

}  // namespace

TEST_CASE("softmax and its logarithm match the double-precision loop") {
    on_every_device([&](Context& context) {
        for (DType dtype : {DType::f32, DType::f16}) {
            if (!runs(context, *kernels::softmax.shader, dtype)) continue;
            CAPTURE(name(dtype));
            for (const Case& c : kCases) check(context, c, dtype);
        }
    });
}

TEST_CASE("a softmax row does not depend on the rows around it") {
    on_every_device([&](Context& context) {
        const Matrix x = softmax_input(6, 333, DType::f32);
        const DeviceTensor all = upload(context, x, DType::f32);
        const LiveRows live(context, 6, 6);
        run(context, live, [&](Recorder& rec) { ops::softmax(rec, all, all, 1.0f, true, live.extent); });
        const Matrix together = download(context, all);
        for (uint32_t r = 0; r < 6; ++r) {
            const Matrix row{1, 333, {x.values.begin() + r * 333, x.values.begin() + (r + 1) * 333}};
            const DeviceTensor one = upload(context, row, DType::f32);
            const LiveRows single(context, 1, 1);
            run(context, single, [&](Recorder& rec) { ops::softmax(rec, one, one, 1.0f, true, single.extent); });
            const Matrix alone = download(context, one);
            Comparison comparison(DType::f32);
            for (uint32_t c = 0; c < 333; ++c) comparison.equal(r, c, together(r, c), alone(0, c));
            comparison.check();
        }
    });
}

}  // namespace softmax_test
