// SPDX-License-Identifier: Apache-2.0
#ifndef DRAGOMAN_SHARED_POOL_H
#define DRAGOMAN_SHARED_POOL_H
#include "shared/scalar.h"

DRAGOMAN_SHARED_BEGIN

struct PoolPush {
    uint cols, x_stride, y_stride;
    uint first;  // 1: the first row alone
};

DRAGOMAN_SHARED_END

#endif
