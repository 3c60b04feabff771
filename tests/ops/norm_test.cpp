// SPDX-License-Identifier: Apache-2.0
#include "ops/norm.h"

#include "check/reference.h"
#include "ops/kernels.h"
#include "support/op_test.h"

namespace dragoman::test::norm_test {
namespace {

struct Case {
    uint32_t rows = 1, cols = 1;
    DType dtype = DType::f32;
    bool residual = false, rms = false, in_place = false;
    float epsilon = 1e-5f;
    float offset = 0.0f;  // added to x: a mean far from zero
    uint32_t capacity = 0, padding = 0;
    bool indirect = false;
};

void check(Context& context, const Case& c) {
    if (!runs(context, *kernels::layer_norm.shader, c.dtype)) return;
    const std::string what = fmt::format("rows {} cols {} {} residual {} rms {}", c.rows, c.cols, name(c.dtype),
                                         c.residual, c.rms);
    INFO(what);
    const uint32_t capacity = std::max(c.rows, c.capacity), stride = c.cols + c.padding;
    Matrix in = random_matrix(c.rows, c.cols, 1);
    for (float& value : in.values) value = rounded(value + c.offset, c.dtype);
    const Matrix residual = random_matrix(c.rows, c.cols, 2, c.dtype);
    const Matrix gamma = random_matrix(1, c.cols, 3), beta = random_matrix(1, c.cols, 4);

    const auto x = upload(context, in, c.dtype, capacity, stride);
    const auto r = upload(context, residual, c.dtype, capacity);
    const auto g = upload(context, gamma.values), b = upload(context, beta.values);
    const auto out = c.in_place ? x : blank(context, capacity, c.cols, c.dtype, stride);
    const LiveRows live(context, c.rows, capacity, c.indirect);
    run(context, live, [&](Recorder& rec) {
        ops::layer_norm(rec, {.x = x,
                              .residual = c.residual ? r.tensor : Tensor(),
                              .gamma = *g,
                              .beta = c.rms ? BufferView() : BufferView(*b),
                              .y = out,
                              .epsilon = c.epsilon,
                              .rows = live.extent});
    });
    const Matrix y = download(context, out);

    Comparison comparison(c.dtype);
    for (uint32_t row = 0; row < c.rows; ++row) {
        const auto input = [&](uint32_t col) {
            return double(in(row, col)) + (c.residual ? double(residual(row, col)) : 0.0);
        };
        const reference::Norm norm = reference::norm(0, c.cols, !c.rms, c.epsilon, input);
        for (uint32_t col = 0; col < c.cols; ++col) {
            const double expected = norm(input(col)) * gamma(0, col) + (c.rms ? 0.0 : beta(0, col));
            // The input's own rounding is amplified by 1 / sigma; the last factor is what the mean's size costs.
            comparison.close(row, col, y(row, col), expected,
                             (std::abs(input(col)) + std::abs(norm.mean)) * norm.inverse + 2);
        }
    }
    comparison.untouched(y, c.rows, c.cols);
    comparison.check();
}

TEST_CASE("layer_norm over odd shapes, with and without residual, centred and RMS") {
    on_every_device([&](Context& context) {
        for (const DType dtype : {DType::f32, DType::f16})
            for (const uint32_t rows : {1u, 3u, 65u})
                for (const uint32_t cols : {1u, 7u, 63u, 64u, 65u, 100u, 512u, 1030u})
                    for (const bool rms : {false, true})
                        check(context, {.rows = rows, .cols = cols, .dtype = dtype, .residual = rows == 3, .rms = rms});
    });
}

TEST_CASE("layer_norm in place, with row strides and a mean far from zero") {
    on_every_device([&](Context& context) {
        for (const DType dtype : {DType::f32, DType::f16}) {
            check(context, {.rows = 9, .cols = 100, .dtype = dtype, .in_place = true, .padding = 5});
            check(context, {.rows = 9, .cols = 100, .dtype = dtype, .residual = true, .in_place = true});
            check(context, {.rows = 9, .cols = 512, .dtype = dtype, .epsilon = 1e-3f, .offset = 100.0f});
            check(context, {.rows = 9, .cols = 512, .dtype = dtype, .rms = true, .epsilon = 1e-6f, .offset = -20.0f});
        }
    });
}

TEST_CASE("layer_norm leaves rows beyond the live ones alone, direct and indirect") {
    on_every_device([&](Context& context) {
        for (const bool indirect : {false, true})
            for (const uint32_t rows : {0u, 1u, 5u, 32u})
                check(context, {.rows = rows, .cols = 65, .capacity = 40, .padding = 2, .indirect = indirect});
    });
}

TEST_CASE("layer_norm of a row does not depend on its neighbours") {
    on_every_device([&](Context& context) {
        constexpr uint32_t kRows = 33, kCols = 100;
        const Matrix in = random_matrix(kRows, kCols, 7);
        const auto gamma = upload(context, random_matrix(1, kCols, 8).values);
        const auto normalise = [&](const Matrix& m) {
            const auto x = upload(context, m, DType::f32);
            const auto y = blank(context, m.rows, kCols, DType::f32);
            const LiveRows live(context, m.rows, m.rows);
            run(context, live, [&](Recorder& rec) {
                ops::layer_norm(rec, {.x = x, .gamma = *gamma, .beta = *gamma, .y = y, .rows = live.extent});
            });
            return download(context, y);
        };
        const Matrix together = normalise(in);
        Comparison comparison(DType::f32);
        for (const uint32_t row : {0u, 1u, 17u, 32u}) {
            const auto begin = in.values.begin() + ptrdiff_t(row) * kCols;
            const Matrix alone = normalise({1, kCols, {begin, begin + kCols}});
            for (uint32_t col = 0; col < kCols; ++col) comparison.equal(row, col, alone(0, col), together(row, col));
        }
        comparison.check();
    });
}

}  // namespace
}  // namespace dragoman::test::norm_test
