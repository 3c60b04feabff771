// SPDX-License-Identifier: Apache-2.0
#ifndef DRAGOMAN_SHARED_ENSEMBLE_H
#define DRAGOMAN_SHARED_ENSEMBLE_H
#include "shared/scalar.h"
DRAGOMAN_SHARED_BEGIN

const uint kAddLogProbsColumns = 1024u;  // per workgroup
struct AddLogProbsPush {
    uint cols, x_stride, y_stride;
    uint first;          // 1: y holds nothing yet
    uint probabilities;  // 1: y is the logarithm of a sum of probabilities; `weight` is then a logarithm, too
    float weight;
};

DRAGOMAN_SHARED_END
#endif
