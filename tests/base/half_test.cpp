// SPDX-License-Identifier: Apache-2.0
#include "base/half.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace dragoman::half_test {
namespace {

// The value of a finite half, from the definition.
double half_value(uint32_t half) {
    const int exponent = int(half >> 10 & 31), mantissa = int(half & 1023);
    const double magnitude = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
    return half & 0x8000 ? -magnitude : magnitude;
}

TEST_CASE("every finite half converts exactly, both ways") {
    uint32_t wrong = 0;
    for (uint32_t half = 0; half < 0x10000; ++half) {
        if ((half >> 10 & 31) == 31) continue;
        const float value = from_half(uint16_t(half));
        if (value != half_value(half) || std::signbit(value) != bool(half & 0x8000) || to_half(value) != half) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("between two halves the nearer wins, and the even one in the middle") {
    uint32_t wrong = 0;
    for (uint32_t half = 0; half < 0x7bff; ++half) {
        const double low = half_value(half), high = half_value(half + 1), middle = (low + high) / 2;
        const auto exact = static_cast<float>(middle);
        REQUIRE(exact == middle);
        if (to_half(exact) != (half & 1 ? half + 1 : half)) ++wrong;
        if (to_half(std::nextafter(exact, 0.0f)) != half) ++wrong;
        if (to_half(std::nextafter(exact, 1e9f)) != half + 1) ++wrong;
        if (to_half(-exact) != (0x8000 | (half & 1 ? half + 1 : half))) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("overflow, infinity and NaN") {
    const float infinity = std::numeric_limits<float>::infinity();
    CHECK(to_half(65519.996f) == 0x7bff);
    CHECK(to_half(65520.0f) == 0x7c00);
    CHECK(to_half(-1e30f) == 0xfc00);
    CHECK(to_half(infinity) == 0x7c00);
    CHECK(from_half(0x7c00) == infinity);
    CHECK(from_half(0xfc00) == -infinity);
    CHECK((to_half(std::numeric_limits<float>::quiet_NaN()) & 0x7fff) > 0x7c00);
    CHECK(std::isnan(from_half(0x7e01)));
    CHECK(to_half(std::numeric_limits<float>::denorm_min()) == 0);
}

}  // namespace
}  // namespace dragoman::half_test
