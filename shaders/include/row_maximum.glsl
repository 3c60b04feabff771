// SPDX-License-Identifier: Apache-2.0
// The largest magnitude of a row, by its bits: floats that are not negative are ordered as these are, and NaN is the
// largest. A row with a number that is not finite has the maximum NaN, so that its products show what went wrong.
#ifndef DRAGOMAN_ROW_MAXIMUM_GLSL
#define DRAGOMAN_ROW_MAXIMUM_GLSL

const uint kInfinityBits = 0x7f800000, kNanBits = 0x7fc00000;

uvec4 larger_bits(uvec4 bits, vec4 x) { return max(bits, floatBitsToUint(x) & 0x7fffffff); }
float finite_or_infinity(uint bits) { return uintBitsToFloat(min(bits, kInfinityBits)); }
uint maximum_bits(float largest) {
    const uint bits = floatBitsToUint(largest);
    return bits == kInfinityBits ? kNanBits : bits;
}

#endif
