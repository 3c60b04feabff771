// SPDX-License-Identifier: Apache-2.0
#ifndef DRAGOMAN_SHARED_EMBED_H
#define DRAGOMAN_SHARED_EMBED_H
#include "shared/scalar.h"
DRAGOMAN_SHARED_BEGIN

const uint kEmbedRowsMap = 1u;
const uint kEmbedPositionTable = 2u;
const uint kEmbedZeroAtStart = 4u;
const uint kEmbedUnits = 8u;  // the table has whole numbers, and each row the value of 1 in it

struct EmbedPush {
    uint vocabulary;     // of all parts of the table
    uint begin, end;     // ids of this one
    uint cols;
    uint y_stride;       // elements
    uint max_positions;
    uint flags;          // kEmbed...
    float scale;
};

DRAGOMAN_SHARED_END
#endif
