// SPDX-License-Identifier: Apache-2.0
// What follows the sum, bias included, of every output: the same operations in every matmul kernel. constant_id 0 is
// taken here.
#ifndef DRAGOMAN_MATMUL_END_GLSL
#define DRAGOMAN_MATMUL_END_GLSL

#include "activation.glsl"

layout(constant_id = 0) const uint ACTIVATION = 7;

#ifdef RELU_IS_A_FLAG  // one kernel for relu and none: few operations more, and a CPU device takes long to compile one
bool relu;  // set by whoever defines it
#endif

float matmul_end(float sum, float gate, float residual) {
    precise float value = activate(sum, ACTIVATION);
#ifdef RELU_IS_A_FLAG
    if (ACTIVATION == kActivationNone) value = relu ? max(value, 0.0) : value;
#endif
    value = fma(value, gate, residual);
    return value;
}

#endif
