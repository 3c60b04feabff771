// SPDX-License-Identifier: Apache-2.0
#ifndef DRAGOMAN_SHARED_SOFTMAX_H
#define DRAGOMAN_SHARED_SOFTMAX_H
#include "shared/scalar.h"

DRAGOMAN_SHARED_BEGIN

struct SoftmaxPush {
    uint cols, x_stride, y_stride, logarithm;
    float scale;
};

DRAGOMAN_SHARED_END

#endif
