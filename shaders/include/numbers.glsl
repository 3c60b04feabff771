// SPDX-License-Identifier: Apache-2.0
// Tests of numbers by their bits: compilers may take it that there is no NaN and no infinity (Metal's fast arithmetic, and
// LLVM's flags on AMD's), and make what they like of comparisons with them.
#ifndef DRAGOMAN_NUMBERS_GLSL
#define DRAGOMAN_NUMBERS_GLSL

const float kDisabled = -1e30;  // this and below, and NaN, is no candidate

bool is_finite(float value) { return (floatBitsToUint(value) & 0x7f800000u) != 0x7f800000u; }

// value > kDisabled: not below zero and no NaN, or a smaller magnitude.
bool is_enabled(float value) {
    const uint bits = floatBitsToUint(value);
    return bits <= 0x7f800000u || bits - 0x80000000u < floatBitsToUint(-kDisabled);
}

#endif
