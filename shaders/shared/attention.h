// SPDX-License-Identifier: Apache-2.0
#ifndef DRAGOMAN_SHARED_ATTENTION_H
#define DRAGOMAN_SHARED_ATTENTION_H
#include "shared/scalar.h"

DRAGOMAN_SHARED_BEGIN

// Strides count elements between rows. has_bias switches the relative bias on.
struct EncoderAttentionPush {
    uint heads, qkv_stride, y_stride, has_bias, bias_reach;
    float scale;
};

struct StepSelfAttentionPush {
    uint heads, heads_per_group, qkv_stride, cache_stride, y_stride;
    uint cache_rows, max_steps, beam, has_bias, bias_reach, has_ranges;
    float scale;
};

struct StepCrossAttentionPush {
    uint heads, heads_per_group, q_stride, memory_stride, y_stride, beam;
    uint weights_begin, weights_heads;  // the heads whose weights are wanted; 0: none
    uint weights_stride, max_steps;
    float scale;
    // For step_cross_attention_query: the product's, and where lengths begin behind the beginnings of sources.
    uint inputs, has_bias, norm_y_stride, length_at;
    float epsilon;
};

struct AdditiveAttentionPush {
    uint cols, q_stride, keys_stride, values_stride, y_stride, beam;
    uint weights_stride, max_steps;
    uint has_weights;
};

DRAGOMAN_SHARED_END

#endif
