// SPDX-License-Identifier: Apache-2.0
#include "ops/elementwise.h"

#include "check/reference.h"
#include "ops/kernels.h"
#include "support/op_test.h"

namespace dragoman::test::elementwise_test {
namespace {

void check(Context& context, const Matrix& in, DType x_type, DType y_type, Activation activation, uint32_t capacity,
           uint32_t padding, bool indirect, bool in_place) {
    if (!runs(context, *kernels::activate.shader, {x_type, y_type})) return;
    const std::string what = fmt::format("{} x {} {} {} activation {}", in.rows, in.cols, name(x_type), name(y_type),
                                         int(activation));
    INFO(what);
    capacity = std::max(capacity, in.rows);
    const auto x = upload(context, in, x_type, capacity, in.cols + padding);
    const auto out = in_place ? x : blank(context, capacity, in.cols, y_type, in.cols + padding);
    const LiveRows live(context, in.rows, capacity, indirect);
    run(context, live, [&](Recorder& rec) { ops::activate(rec, x, out, activation, live.extent); });
    const Matrix y = download(context, out);
    Comparison comparison(y_type);
    for (uint32_t r = 0; r < in.rows; ++r)
        for (uint32_t c = 0; c < in.cols; ++c)
            comparison.close(r, c, y(r, c), reference::activated(in(r, c), activation), std::abs(in(r, c)));
    comparison.untouched(y, in.rows, in.cols);
    comparison.check();
}

TEST_CASE("activate: every activation, shape and pair of types") {
    constexpr DType kTypes[] = {DType::f32, DType::f16};
    on_every_device([&](Context& context) {
        for (uint32_t a = 0; a <= uint32_t(Activation::none); ++a)
            for (const DType x : kTypes)
                for (const DType y : kTypes)
                    for (const uint32_t cols : {1u, 63u, 65u, 200u})
                        check(context, random_matrix(3, cols, a, x, 6.0f), x, y, Activation(a), 0, 0, false, false);
    });
}

TEST_CASE("activate in place, and direct or indirect with fewer rows than the capacity") {
    on_every_device([&](Context& context) {
        check(context, random_matrix(5, 65, 1), DType::f32, DType::f32, Activation::relu, 7, 3, false, true);
        for (const bool indirect : {false, true})
            for (const uint32_t rows : {0u, 1u, 6u})
                check(context, random_matrix(rows, 65, 1), DType::f32, DType::f32, Activation::swish, 7, 3, indirect,
                      false);
    });
}

TEST_CASE("activations at the ends of the range") {
    const Matrix in{1, 10, {0.0f, -0.0f, 20.0f, -20.0f, 100.0f, -100.0f, 1e4f, -1e4f, 3e-5f, -3e-5f}};
    on_every_device([&](Context& context) {
        for (uint32_t a = 0; a <= uint32_t(Activation::none); ++a)
            check(context, in, DType::f32, DType::f32, Activation(a), 0, 0, false, false);
    });
}

TEST_CASE("exact gelu holds erf to 1e-6") {
    Matrix in{1, 4000, {}};
    for (uint32_t i = 0; i < in.cols; ++i) in.values.push_back(-7.0f + float(i) * 0.0035f);
    on_every_device([&](Context& context) {
        const auto x = upload(context, in, DType::f32), out = blank(context, 1, in.cols, DType::f32);
        const LiveRows live(context, 1, 1);
        run(context, live, [&](Recorder& rec) { ops::activate(rec, x, out, Activation::gelu, live.extent); });
        const Matrix y = download(context, out);
        double worst = 0;
        for (uint32_t i = 0; i < in.cols; ++i) {
            const double v = in(0, i);
            if (std::abs(v) < 0.01) continue;  // the quotient below loses its digits
            worst = std::max(worst, std::abs(2 * y(0, i) / v - 1 - std::erf(v / std::sqrt(2.0))));
        }
        CHECK(worst < 1e-6);
    });
}

TEST_CASE("add and blend, also in place") {
    on_every_device([](Context& context) {
        for (const DType dtype : {DType::f32, DType::f16}) {
            if (!runs(context, *kernels::blend.shader, dtype)) continue;
            for (const uint32_t cols : {1u, 63u, 65u, 200u})
                for (uint32_t options = 0; options < 8; ++options) {
                    CAPTURE(cols);
                    CAPTURE(options);
                    constexpr uint32_t kRows = 5, kCapacity = 7;
                    const bool gated = options & 1, over_x = options & 2, over_other = options == 4;
                    Matrix g = random_matrix(kRows, cols, 1, dtype);
                    for (float& value : g.values) value = rounded(0.5f + 0.5f * value, dtype);
                    const Matrix a = random_matrix(kRows, cols, 2, dtype), b = random_matrix(kRows, cols, 3, dtype);
                    const auto gate = upload(context, g, dtype, kCapacity, cols + 1);
                    const auto x = upload(context, a, dtype, kCapacity, cols + 2);
                    const auto other = upload(context, b, dtype, kCapacity, cols + 3);
                    const auto out = over_x ? x : over_other ? other : blank(context, kCapacity, cols, dtype, cols + 4);
                    const LiveRows live(context, kRows, kCapacity, options & 4);
                    run(context, live, [&](Recorder& rec) {
                        if (gated) ops::blend(rec, gate, x, other, out, live.extent);
                        else ops::add(rec, x, other, out, live.extent);
                    });
                    const Matrix y = download(context, out);
                    Comparison comparison(dtype);
                    for (uint32_t r = 0; r < kRows; ++r)
                        for (uint32_t c = 0; c < cols; ++c)
                            comparison.close(r, c, y(r, c),
                                             gated ? double(g(r, c)) * a(r, c) + (1.0 - g(r, c)) * b(r, c)
                                                   : double(a(r, c)) + b(r, c),
                                             1.0);
                    comparison.untouched(y, kRows, cols);
                    comparison.check();
                }
        }
    });
}

TEST_CASE("gather_rows copies the rows a map names") {
    on_every_device([&](Context& context) {
        for (const DType dtype : {DType::f32, DType::f16}) {
            if (!runs(context, *kernels::gather_rows.shader, dtype)) continue;
            for (const uint32_t cols : {1u, 63u, 65u, 512u}) {
                for (const bool indirect : {false, true}) {
                    CAPTURE(cols);
                    constexpr uint32_t kRows = 9, kCapacity = 12;
                    const Matrix in = random_matrix(5, cols, 3, dtype);
                    const std::vector<uint32_t> map = {4, 0, 3, 3, 1, 2, 0, 4, 1, 2, 2, 2};
                    const auto x = upload(context, in, dtype, 0, cols + 1);
                    const auto out = blank(context, kCapacity, cols, dtype, cols + 3);
                    const auto map_buffer = upload(context, map);
                    const LiveRows live(context, kRows, kCapacity, indirect);
                    run(context, live, [&](Recorder& rec) { ops::gather_rows(rec, x, *map_buffer, out, live.extent); });
                    const Matrix y = download(context, out);
                    Comparison comparison(dtype);
                    for (uint32_t r = 0; r < kRows; ++r)
                        for (uint32_t c = 0; c < cols; ++c) comparison.equal(r, c, y(r, c), in(map[r], c));
                    comparison.untouched(y, kRows, cols);
                    comparison.check();
                }
            }
        }
    });
}

}  // namespace
}  // namespace dragoman::test::elementwise_test
