// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace dragoman {

// IEEE binary32 to binary16: nearest, ties to even; infinity from 65520 on; NaN stays NaN.
constexpr uint16_t to_half(float value) {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    const uint32_t sign = bits >> 16 & 0x8000u;
    const uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u);
    if (magnitude >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00u);
    if (magnitude < 0x38800000u) {
        // Below 2^-14 the result counts units of 2^-24, which is the last place of 0.5: the addition rounds.
        const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
        return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - std::bit_cast<uint32_t>(0.5f)));
    }
    const uint32_t odd = magnitude >> 13 & 1u;
    return static_cast<uint16_t>(sign | (magnitude - (112u << 23) + 0xfffu + odd) >> 13);
}

// Binary16 to binary32, exact.
constexpr float from_half(uint16_t half) {
    const uint32_t sign = (half & 0x8000u) << 16;
    const uint32_t exponent = half >> 10 & 0x1fu;
    const uint32_t mantissa = half & 0x3ffu;
    if (exponent == 0) {
        const float value = static_cast<float>(mantissa) * 0x1p-24f;
        return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(value));
    }
    const uint32_t biased = exponent == 31 ? 255u : exponent + 112u;
    return std::bit_cast<float>(sign | biased << 23 | mantissa << 13);
}

}  // namespace dragoman
