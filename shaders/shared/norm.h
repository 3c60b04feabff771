// SPDX-License-Identifier: Apache-2.0
#ifndef DRAGOMAN_SHARED_NORM_H
#define DRAGOMAN_SHARED_NORM_H
#include "shared/scalar.h"
DRAGOMAN_SHARED_BEGIN

const uint kNormResidual = 1u;
const uint kNormBeta = 2u;  // without it: RMSNorm

struct LayerNormPush {
    uint cols;
    uint x_stride, residual_stride, y_stride;  // elements
    uint flags;                                // kNorm...
    float epsilon;
};

DRAGOMAN_SHARED_END
#endif
