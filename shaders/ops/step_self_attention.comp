// SPDX-License-Identifier: Apache-2.0
// One step of decoder self-attention: one live row per workgroup, heads_per_group heads one after the other. The row's
// own key and value come from qkv and start the sums; the cache entry written here is read by later steps only.
#version 460
#pragma variants(T = float, float16_t)
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#include "shared/attention.h"
#include "online_softmax.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 64;         // a power of two
layout(constant_id = 1) const uint KEYS_PER_LANE = 1;  // at once; their loads share one load of the query
layout(constant_id = 2) const uint HEAD_DIM = 64;

layout(push_constant) uniform Push { StepSelfAttentionPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer Qkv { T qkv[]; };
layout(binding = 2) readonly buffer LiveRows { uint live_rows[]; };
layout(binding = 3) readonly buffer Position { uint position[]; };
layout(binding = 4) readonly buffer Ancestry { uint ancestry[]; };
layout(binding = 5) readonly buffer RelativeBias { float relative_bias[]; };
layout(binding = 6) buffer Keys { T keys[]; };
layout(binding = 7) buffer Values { T values[]; };
layout(binding = 8) writeonly buffer Y { T y[]; };

const uint DIMS = (HEAD_DIM + LANES - 1) / LANES;  // output columns per lane
shared float query[HEAD_DIM];
shared uint block_entry[kKeyBlock];  // cache entry (row * max_steps + step) of each key of the block

float bias_at(uint head, uint step, uint key) {
    if (pc.has_bias == 0) return 0.0;
    const int reach = int(pc.bias_reach);
    return relative_bias[head * (2 * reach + 1) + clamp(int(key) - int(step), -reach, reach) + reach];
}

void find_entries(uint cache_row, uint step, uint begin, uint keys) {
    for (uint i = gl_LocalInvocationIndex; i < keys; i += LANES) {
        uint row = cache_row;
        if (pc.beam > 1) {
            const uint table_row = (step & 1) * pc.cache_rows + cache_row;
            row = cache_row / pc.beam * pc.beam + ancestry[table_row * pc.max_steps + begin + i];
        }
        block_entry[i] = row * pc.max_steps + begin + i;
    }
}

void score_block(uint step, uint begin, uint block_keys, uint head) {
    for (uint first = gl_LocalInvocationIndex; first < block_keys; first += LANES * KEYS_PER_LANE) {
        uint key_at[KEYS_PER_LANE];
        float score[KEYS_PER_LANE];
        [[unroll]] for (uint n = 0; n < KEYS_PER_LANE; ++n) {
            key_at[n] = block_entry[min(first + n * LANES, block_keys - 1)] * pc.cache_stride + head * HEAD_DIM;
            score[n] = 0.0;
        }
        for (uint d = 0; d < HEAD_DIM; ++d) {
            const float q = query[d];
            [[unroll]] for (uint n = 0; n < KEYS_PER_LANE; ++n) score[n] = fma(q, float(keys[key_at[n] + d]), score[n]);
        }
        [[unroll]] for (uint n = 0; n < KEYS_PER_LANE; ++n) {
            const uint key = first + n * LANES;
            if (key < block_keys) block_scores[key] = score[n] + bias_at(head, step, begin + key);
        }
    }
}

void attend(uint row, uint cache_row, uint step, uint head) {
    const uint lane = gl_LocalInvocationIndex;
    const uint own = row * pc.qkv_stride + head * HEAD_DIM, own_entry = cache_row * pc.max_steps + step;
    uint column[DIMS];
    float sum[DIMS];
    float own_score = 0.0;
    [[unroll]] for (uint i = 0; i < DIMS; ++i) {
        column[i] = min(lane + i * LANES, HEAD_DIM - 1);
        const float q = pc.scale * float(qkv[own + column[i]]);
        const float k = float(qkv[own + pc.heads * HEAD_DIM + column[i]]);
        sum[i] = float(qkv[own + 2 * pc.heads * HEAD_DIM + column[i]]);
        if (lane + i * LANES >= HEAD_DIM) break;
        own_score = fma(q, k, own_score);
        query[column[i]] = q;
        keys[own_entry * pc.cache_stride + head * HEAD_DIM + column[i]] = T(k);
        values[own_entry * pc.cache_stride + head * HEAD_DIM + column[i]] = T(sum[i]);
    }
    OnlineSoftmax state;
    state.maximum = reduce_sum(own_score, LANES) + bias_at(head, step, step);
    state.sum = lane == 0 ? 1.0 : 0.0;

    for (uint block = 0; block < step; block += kKeyBlock) {
        const uint block_keys = min(kKeyBlock, step - block);
        barrier();
        find_entries(cache_row, step, block, block_keys);
        barrier();
        score_block(step, block, block_keys, head);
        barrier();
        online_softmax_block(state, block_keys, LANES);
        [[unroll]] for (uint i = 0; i < DIMS; ++i) sum[i] *= block_factor[0];
        for (uint key = 0; key < block_keys; ++key) {
            const float weight = block_scores[key];
            const uint value_at = block_entry[key] * pc.cache_stride + head * HEAD_DIM;
            [[unroll]] for (uint i = 0; i < DIMS; ++i) sum[i] = fma(weight, float(values[value_at + column[i]]), sum[i]);
        }
    }

    online_softmax_finish(state, LANES);
    [[unroll]] for (uint i = 0; i < DIMS; ++i) {
        if (lane + i * LANES >= HEAD_DIM) break;
        y[row * pc.y_stride + head * HEAD_DIM + column[i]] = T(sum[i] * block_factor[0]);
    }
}

void main() {
    const uint row = gl_WorkGroupID.x;
    if (row >= count) return;
    const uint cache_row = live_rows[row], step = position[cache_row];
    const uint first = gl_WorkGroupID.y * pc.heads_per_group, end = min(first + pc.heads_per_group, pc.heads);
    for (uint head = first; head < end; ++head) attend(row, cache_row, step, head);
}
