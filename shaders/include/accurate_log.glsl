// SPDX-License-Identifier: Apache-2.0
#ifndef DRAGOMAN_ACCURATE_LOG_GLSL
#define DRAGOMAN_ACCURATE_LOG_GLSL

// ln(x) for normal x > 0, to 2e-7 relative. Vulkan lets log() be off by 2^-21 absolute between 0.5 and 2, and
// drivers for CPUs by more, which shows in probabilities near 1.
float accurate_log(float x) {
    int exponent;
    float mantissa = frexp(x, exponent);  // [0.5, 1)
    if (mantissa < 0.70710678) {
        mantissa *= 2.0;
        exponent -= 1;
    }
    const float s = (mantissa - 1.0) / (mantissa + 1.0), s2 = s * s;
    const float series = 1.0 + s2 * (1.0 / 3.0 + s2 * (1.0 / 5.0 + s2 * (1.0 / 7.0 + s2 * (1.0 / 9.0))));
    return fma(float(exponent), 0.69314718, 2.0 * s * series);
}

#endif
