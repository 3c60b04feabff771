// SPDX-License-Identifier: Apache-2.0
#ifndef DRAGOMAN_SHARED_TOPK_H
#define DRAGOMAN_SHARED_TOPK_H
#include "shared/scalar.h"

// Columns of a row that one workgroup of topk_partial reduces. Fixed, so that the scratch size needs no device
// and log_sum does not depend on k.
#define TOPK_TILE 2048

DRAGOMAN_SHARED_BEGIN

// Scratch of row r, tile t: (r * tiles + t) * (2 + 2 k) words: max, sum(exp(x - max)), k values, k columns.
struct TopkPush {
    uint cols, stride, k, tiles;
};

DRAGOMAN_SHARED_END

#endif
