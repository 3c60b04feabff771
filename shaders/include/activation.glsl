// SPDX-License-Identifier: Apache-2.0
#ifndef DRAGOMAN_ACTIVATION_GLSL
#define DRAGOMAN_ACTIVATION_GLSL

#include "shared/elementwise.h"

// Rational minimax fit on [-3.95, 3.95], where |erf| reaches 1 in f32; absolute error below 4e-7. No exponential:
// its accuracy differs between drivers.
float erf(float x) {
    const float v = clamp(x, -3.95, 3.95);
    const float t = v * v;
    precise float p = 2.01165299e-6;
    p = fma(p, t, 2.87576044e-4);
    p = fma(p, t, 3.91681903e-3);
    p = fma(p, t, 5.32055317e-2);
    p = fma(p, t, 1.94025932e-1);
    p = fma(p, t, 1.12837901);
    precise float q = 3.78374719e-5;
    q = fma(q, t, 1.19805367e-3);
    q = fma(q, t, 1.52697345e-2);
    q = fma(q, t, 1.15586497e-1);
    q = fma(q, t, 5.05282500e-1);
    q = fma(q, t, 1.0);
    return clamp(v * p / q, -1.0, 1.0);
}

float sigmoid(float x) { return 1.0 / (1.0 + exp(-x)); }

// Overflow of the exponential gives 1, and no cancellation of two large numbers.
float tanh_stable(float x) {
    const float t = exp(-2.0 * abs(x));
    return sign(x) * (1.0 - t) / (1.0 + t);
}

// `kind` is a specialisation constant, so one branch remains. `precise`: the same bits in every kernel.
float activate(float x, uint kind) {
    precise float y = x;
    switch (kind) {
        case kActivationRelu: y = max(x, 0.0); break;
        case kActivationGeluTanh: y = 0.5 * x * (1.0 + tanh_stable(0.7978845608 * (x + 0.044715 * x * x * x))); break;
        case kActivationSwish: y = x * sigmoid(x); break;
        case kActivationGelu: y = 0.5 * x * (1.0 + erf(x * 0.7071067812)); break;
        case kActivationGeluSigmoid: y = x * sigmoid(1.702 * x); break;
        case kActivationTanh: y = tanh_stable(x); break;
        case kActivationSigmoid: y = sigmoid(x); break;
        default: break;
    }
    return y;
}

#endif
