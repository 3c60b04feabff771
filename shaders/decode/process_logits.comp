// SPDX-License-Identifier: Apache-2.0
// Repetition penalty (Keskar et al. 2019), repeated n-grams, suppressed sequences and minimum length, in place on the
// logits of every live row, and the records (shared/topk.h) of the tiles that changed. A hypothesis' tokens are those
// after its context, or all that were fed.
#version 460
#extension GL_EXT_control_flow_attributes : require
#include "shared/search.h"
#include "hypothesis.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint INVOCATIONS = 64;  // at most 64
#define IN_STEP_ID 1
layout(push_constant) uniform Push { SearchPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer Parameters { uint p[]; };
layout(binding = 2) readonly buffer State { uint s[]; };
layout(binding = 3) readonly buffer LogSum { float log_sum[]; };  // of the logits as they come, for RULE_PENALISE_LOG
layout(binding = 4) coherent buffer Logits { float logits[]; };  // lanes read what others wrote
layout(binding = 5) writeonly buffer Records { uint records[]; };
#define RECORDS_OF_COLUMNS 1
#include "meet.glsl"
#include "tile_record.glsl"

const float kRuledOut = -3.402823466e38;

// The tiles that changed: of tile word + 64 i, bit i of the word. A bit stands for tiles 32 * 64 further on too,
// which get their record again.
shared uint changed[64];

void set_logit(uint row_at, uint token, float value) {
    logits[row_at + token] = value;
    const uint tile = token / TOPK_TILE;
    atomicOr(changed[tile % 64], 1u << (tile / 64 % 32));
}

vec4 load_quad(uint row_at, uint column, uint end) {
    vec4 quad = vec4(kNothing);
    [[unroll]] for (uint i = 0; i < 4; ++i)
        if (column + i < end) quad[i] = logits[row_at + column + i];
    return quad;
}

void record_changes(uint row, uint row_at) {
    const uint lane = gl_LocalInvocationID.x, cols = p[pc.rules_at + RULE_VOCABULARY];
    order_buffers();
    meet();
    for (uint word = lane; word < 64; word += INVOCATIONS)
        for (uint bits = changed[word]; bits != 0; bits &= bits - 1)
            for (uint tile = findLSB(bits) * 64 + word; tile * TOPK_TILE < cols; tile += 32 * 64)
                record_tile(row, row_at, tile, cols);
}

#define FED_TOKEN(j) ((j) == 0 ? p[input_at + INPUT_START] : HYPOTHESIS_TOKEN(slot, beam, t, j))

void main() {
    const uint row = gl_WorkGroupID.x, lane = gl_LocalInvocationID.x, lanes = INVOCATIONS;
    if (row >= count) return;
    const uint cache_row = s[pc.live_rows_at + row];
    const uint slot = cache_row / pc.beam, beam = cache_row % pc.beam;
    const uint t = s[pc.position_at + cache_row];
    const uint input_at = pc.inputs_at + slot * INPUT_WORDS;
    // Step at which token 0 of the hypothesis was fed.
    const uint first = p[pc.rules_at + RULE_FROM_START] != 0 ? 0 : p[input_at + INPUT_CONTEXT] + 1;
    const uint tokens = t + 1 > first ? t + 1 - first : 0;
    const uint base = row * pc.logits_stride;

    const bool too_short = t >= p[input_at + INPUT_CONTEXT] + p[input_at + INPUT_PREFIX] &&
                           t < p[input_at + INPUT_MIN_LENGTH];
    if (pc.repetition_penalty == 1.0 && pc.no_repeat_ngram_size == 0 && pc.suppressed == 0 && !too_short) return;
    for (uint word = lane; word < 64; word += lanes) changed[word] = 0;
    meet();

    if (pc.repetition_penalty != 1.0) {
        for (uint i = lane; i < tokens; i += lanes) {
            const uint token = FED_TOKEN(first + i);
            bool seen = false;
            for (uint j = 0; j < i && !seen; ++j) seen = FED_TOKEN(first + j) == token;
            if (seen) continue;
            const float x = logits[base + token];
            if (p[pc.rules_at + RULE_PENALISE_LOG] != 0)
                set_logit(base, token, log_sum[row] + (x - log_sum[row]) * pc.repetition_penalty);
            else set_logit(base, token, x < 0.0 ? x * pc.repetition_penalty : x / pc.repetition_penalty);
        }
        order_buffers();
        meet();
    }

    const uint n = pc.no_repeat_ngram_size;
    if (n > 0 && tokens >= n) {
        for (uint i = lane; i + n <= tokens; i += lanes) {
            bool same = true;
            for (uint j = 0; j + 1 < n && same; ++j)
                same = FED_TOKEN(first + i + j) == FED_TOKEN(first + tokens - n + 1 + j);
            if (same) set_logit(base, FED_TOKEN(first + i + n - 1), kRuledOut);
        }
    }

    if (lane == 0) {
        uint at = pc.suppress_at;
        for (uint i = 0; i < pc.suppressed; ++i) {
            const uint length = p[at];
            bool follows = tokens + 1 >= length;
            for (uint j = 0; j + 1 < length && follows; ++j)
                follows = p[at + 1 + j] == FED_TOKEN(first + tokens + 1 - length + j);
            if (follows) set_logit(base, p[at + length], kRuledOut);
            at += 1 + length;
        }
    }
    if (too_short)
        for (uint i = lane; i < pc.end_tokens; i += lanes) set_logit(base, p[pc.end_tokens_at + i], kRuledOut);
    record_changes(row, base);
}
