// SPDX-License-Identifier: Apache-2.0
// What a record of shared/topk.h is made of. Every kernel that writes records adds up in the same tree, so that they
// have the same bits whichever wrote them.
#ifndef DRAGOMAN_TILE_RECORD_GLSL
#define DRAGOMAN_TILE_RECORD_GLSL

#include "candidate_value.glsl"
#include "shared/topk.h"

float exponential(float value, float maximum) {
    precise const float distance = value - maximum;
    return value > kDisabled ? exp(distance) : 0.0;
}

float tree_sum(float v[1]) { return v[0]; }

float tree_sum(float v[4]) {
    precise const float sum = (v[0] + v[1]) + (v[2] + v[3]);
    return sum;
}

float tree_sum(float v[8]) {
    precise const float sum = tree_sum(float[4](v[0], v[1], v[2], v[3])) + tree_sum(float[4](v[4], v[5], v[6], v[7]));
    return sum;
}

uint record_index(uint row, uint word, uint tile, uint tiles) { return (row * RECORD_WORDS + word) * tiles + tile; }

#endif
