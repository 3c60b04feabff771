// SPDX-License-Identifier: Apache-2.0
#ifndef DRAGOMAN_SHARED_MATMUL_H
#define DRAGOMAN_SHARED_MATMUL_H
#include "shared/scalar.h"
DRAGOMAN_SHARED_BEGIN

const uint kMatmulBias = 1u;
const uint kMatmulGate = 2u;
const uint kMatmulResidual = 4u;

struct MatmulPush {
    uint n, k;
    uint x_stride, gate_stride, residual_stride, y_stride;  // elements
    uint flags;                                             // kMatmul...: the optional buffers in use
    float scale;
};

DRAGOMAN_SHARED_END
#endif
