// SPDX-License-Identifier: Apache-2.0
#ifndef DRAGOMAN_SHARED_TOPK_H
#define DRAGOMAN_SHARED_TOPK_H
#include "shared/scalar.h"

// Columns of a row that one record stands for: a panel of the output layer, whose matmul may write the records itself.
#define TOPK_TILE 64u

// Words of a record. They lie by kind: word w of row r, tile t is at (r * RECORD_WORDS + w) * tiles + t.
#define RECORD_MAXIMUM 0u  // of the enabled columns
#define RECORD_SUM 1u      // of exp(x - maximum), added up as a binary tree over the columns
#define RECORD_COLUMN 2u   // the first one that has the maximum
#define RECORD_WORDS 3u

DRAGOMAN_SHARED_BEGIN

struct TopkPush {
    uint cols, stride, k, tiles;
};

DRAGOMAN_SHARED_END

#endif
