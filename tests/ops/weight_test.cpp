// SPDX-License-Identifier: Apache-2.0
#include "ops/weight.h"

#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/half.h"
#include "support/op_test.h"

namespace dragoman::test::weight_test {
namespace {

TEST_CASE("pack_panels puts every element where the layout says and zeros the rest") {
    for (const DType dtype : {DType::f32, DType::f16}) {
        for (const uint32_t n : {1u, 63u, 64u, 65u, 200u}) {
            for (const uint32_t k : {1u, 15u, 16u, 17u, 100u}) {
                CAPTURE(n);
                CAPTURE(k);
                const Matrix w = random_matrix(n, k, n + k, dtype);
                const uint32_t padded = (n + 63) / 64 * 64;
                REQUIRE(ops::panel_bytes(n, k, dtype) == uint64_t(padded) * k * size_bytes(dtype));
                std::vector<std::byte> packed(ops::panel_bytes(n, k, dtype), std::byte{0xff});
                ops::pack_panels(w.values, k, dtype, packed);
                Comparison comparison(dtype);
                for (uint32_t o = 0; o < padded; ++o) {
                    for (uint32_t i = 0; i < k; ++i) {
                        const size_t at = size_t(o / 64) * 64 * k + i * 64 + o % 64;
                        float value = 0;
                        if (dtype == DType::f16)
                            value = from_half(reinterpret_cast<const uint16_t*>(packed.data())[at]);
                        else value = reinterpret_cast<const float*>(packed.data())[at];
                        comparison.equal(o, i, value, o < n ? w(o, i) : 0.0f);
                    }
                }
                comparison.check();
            }
        }
    }
}

TEST_CASE("pack_panels streams: blocks of panels equal the whole") {
    const Matrix w = random_matrix(300, 37, 1);
    std::vector<std::byte> whole(ops::panel_bytes(300, 37, DType::f16)), streamed(whole.size());
    const float largest = ops::pack_panels(w.values, 37, DType::f16, whole);
    float streamed_largest = 0;
    size_t at = 0;
    for (uint32_t row = 0; row < 300; row += 128) {
        const uint32_t rows = std::min(128u, 300 - row);
        const size_t bytes = ops::panel_bytes(rows, 37, DType::f16);
        streamed_largest = std::max(streamed_largest,
                                    ops::pack_panels(std::span(w.values).subspan(size_t(row) * 37, size_t(rows) * 37),
                                                     37, DType::f16, std::span(streamed).subspan(at, bytes)));
        at += bytes;
    }
    CHECK(at == whole.size());
    CHECK(whole == streamed);
    CHECK(largest == streamed_largest);
}

TEST_CASE("pack_panels returns the largest magnitude, infinity for what is not finite") {
    std::vector<float> values(64, 0.5f);
    std::vector<std::byte> packed(ops::panel_bytes(64, 1, DType::f16));
    values[10] = -70000.0f;
    CHECK(ops::pack_panels(values, 1, DType::f16, packed) == 70000.0f);
    values[11] = std::numeric_limits<float>::quiet_NaN();
    CHECK(std::isinf(ops::pack_panels(values, 1, DType::f16, packed)));
    values[11] = -std::numeric_limits<float>::infinity();
    CHECK(std::isinf(ops::pack_panels(values, 1, DType::f16, packed)));
    CHECK_THROWS_AS(ops::pack_panels(values, 1, DType::f16, std::span(packed).first(2)), Error);
}

}  // namespace
}  // namespace dragoman::test::weight_test
