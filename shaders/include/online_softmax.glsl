// SPDX-License-Identifier: Apache-2.0
// Softmax over keys that come in blocks (Milakov and Gimelshein, 2018), for several queries in one workgroup:
// `parts` neighbouring lanes share a query. All invocations must call these functions.
#ifndef DRAGOMAN_ONLINE_SOFTMAX_GLSL
#define DRAGOMAN_ONLINE_SOFTMAX_GLSL
#include "reduce.glsl"

const uint kKeyBlock = 64;
const uint kScoreStride = kKeyBlock + 1;  // odd, so that queries lie in different banks
const uint kMaxQueries = 8;
shared float block_scores[kMaxQueries * kScoreStride];  // [query][key]
shared float block_factor[kMaxQueries];

struct OnlineSoftmax {
    float maximum;  // over all lanes of the query
    float sum;      // over this lane's keys
};

OnlineSoftmax online_softmax_start() {
    return OnlineSoftmax(-1e30, 0.0);
}

// Turns the scores of one block (written, before a barrier) into exp(score - maximum). block_factor is what earlier
// weighted sums have to be multiplied with. Both can be read on return.
void online_softmax_block(inout OnlineSoftmax state, uint keys, uint parts) {
    uint query = gl_LocalInvocationIndex / parts, part = gl_LocalInvocationIndex % parts;
    uint row = query * kScoreStride;
    float maximum = state.maximum;
    for (uint j = part; j < keys; j += parts) maximum = max(maximum, block_scores[row + j]);
    if (parts > 1) maximum = reduce_max(maximum, parts);
    float factor = exp(state.maximum - maximum);
    float sum = state.sum * factor;
    for (uint j = part; j < keys; j += parts) {
        float weight = exp(block_scores[row + j] - maximum);
        block_scores[row + j] = weight;
        sum += weight;
    }
    if (part == 0) block_factor[query] = factor;
    state = OnlineSoftmax(maximum, sum);
    barrier();
}

// Leaves 1 / sum in block_factor; 0 for a query without keys.
void online_softmax_finish(OnlineSoftmax state, uint parts) {
    barrier();
    float sum = parts > 1 ? reduce_sum(state.sum, parts) : state.sum;
    if (gl_LocalInvocationIndex % parts == 0)
        block_factor[gl_LocalInvocationIndex / parts] = sum > 0.0 ? 1.0 / sum : 0.0;
    barrier();
}

#endif
