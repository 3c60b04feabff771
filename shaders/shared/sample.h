// SPDX-License-Identifier: Apache-2.0
#ifndef DRAGOMAN_SHARED_SAMPLE_H
#define DRAGOMAN_SHARED_SAMPLE_H
#include "shared/scalar.h"
DRAGOMAN_SHARED_BEGIN

// How a row draws its tokens. Its random numbers depend on the words from `seed_low` on and on its step alone.
struct SampleInput {
    float temperature;  // 0: the best token
    uint top_k;         // 0: all
    float top_p;        // 1: all
    float min_p;        // 0: all
    uint seed_low, seed_high;
    uint sample_index;  // of several of one source
    uint source_low, source_high;
};

struct SamplePush {
    uint cols, stride, tiles;
};

DRAGOMAN_SHARED_END

#endif
