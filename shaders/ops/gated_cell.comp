// SPDX-License-Identifier: Apache-2.0
// One time step of a gated cell, one row per workgroup: norms of its two products, gates, state (lib/ops/gated_cell.h).
#version 460
#pragma variants(T = float, float16_t)
#include "types.glsl"
#include "activation.glsl"
#include "reduce.glsl"
#include "shared/recurrence.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 64;  // a power of two
layout(constant_id = 1) const uint GATES = 3;  // 3: gated recurrent unit; 4: long short-term memory

layout(push_constant) uniform Push { GatedCellPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer SentenceBegin { uint sentence_begin[]; };
layout(binding = 2) readonly buffer X { T x[]; };  // [tokens or rows, GATES cols]
layout(binding = 3) readonly buffer XParameters { float x_of[]; };  // gamma, beta; without input: the constant
layout(binding = 4) readonly buffer U { T u[]; };  // [rows, GATES cols]
layout(binding = 5) readonly buffer UParameters { float u_of[]; };  // gamma, beta
layout(binding = 6) buffer State { float state[]; };  // [rows, cols], with memory cells 2 cols
layout(binding = 7) writeonly buffer Y { T y[]; };
layout(binding = 8) readonly buffer Residual { T residual[]; };
layout(binding = 9) writeonly buffer Out { T result[]; };

struct Moments {
    float mean, inverse;
};

// Statistics of the first norm_cols columns and of the others. They are no arrays: indexed by a column, those would lie
// in memory.
uint x_at, u_at;
Moments x_first, x_other, u_first, u_other;

float raw(bool of_x, uint c) { return of_x ? float(x[x_at + c]) : float(u[u_at + c]); }

Moments moments(bool of_x, uint begin, uint end) {
    float sum = 0.0, squares = 0.0;
    for (uint c = begin + gl_LocalInvocationIndex; c < end; c += LANES) sum += raw(of_x, c);
    const float mean = reduce_sum(sum, LANES) / float(end - begin);
    for (uint c = begin + gl_LocalInvocationIndex; c < end; c += LANES) {
        const float apart = raw(of_x, c) - mean;
        squares = fma(apart, apart, squares);
    }
    const float variance = reduce_sum(squares, LANES) / float(end - begin);
    return Moments(mean, 1.0 / sqrt(variance + pc.epsilon));
}

float of_input(uint c) {
    if ((pc.flags & kCellInput) == 0) return x_of[c];
    if (pc.norm_cols == 0) return raw(true, c);
    const Moments m = c < pc.norm_cols ? x_first : x_other;
    return fma((raw(true, c) - m.mean) * m.inverse, x_of[c], x_of[GATES * pc.cols + c]);
}

float of_state(uint c) {
    if (pc.norm_cols == 0) return raw(false, c);
    const Moments m = c < pc.norm_cols ? u_first : u_other;
    return fma((raw(false, c) - m.mean) * m.inverse, u_of[c], u_of[GATES * pc.cols + c]);
}

float gate(uint index, uint c) { return sigmoid(of_input(index * pc.cols + c) + of_state(index * pc.cols + c)); }

float next_gated_unit(uint row, uint c) {
    const float reset = gate(0, c), update = gate(1, c);
    precise float candidate = tanh_stable(fma(reset, of_state(2 * pc.cols + c), of_input(2 * pc.cols + c)));
    const uint at = row * pc.cols + c;
    precise float hidden = fma(update, state[at] - candidate, candidate);
    state[at] = hidden;
    return hidden;
}

float next_memory_cell(uint row, uint c) {
    const float forget = gate(0, c), enter = gate(1, c), leave = gate(3, c);
    const float candidate = tanh_stable(of_input(2 * pc.cols + c) + of_state(2 * pc.cols + c));
    const uint at = row * 2 * pc.cols + c;
    precise float cell = fma(forget, state[at + pc.cols], enter * candidate);
    precise float hidden = leave * tanh_stable(cell);
    state[at + pc.cols] = cell;
    state[at] = hidden;
    return hidden;
}

void main() {
    const uint row = gl_WorkGroupID.x;
    if (row >= count) return;
    uint token = row;
    if ((pc.flags & kCellTimed) != 0) {
        const uint begin = sentence_begin[row], end = sentence_begin[row + 1];
        if (pc.time >= end - begin) return;
        token = (pc.flags & kCellBackward) != 0 ? end - 1 - pc.time : begin + pc.time;
    }
    x_at = token * pc.x_stride;
    u_at = row * pc.u_stride;
    if (pc.norm_cols != 0) {
        const uint all = GATES * pc.cols;
        if ((pc.flags & kCellInput) != 0) {
            x_first = moments(true, 0, pc.norm_cols);
            if (pc.norm_cols < all) x_other = moments(true, pc.norm_cols, all);
        }
        u_first = moments(false, 0, pc.norm_cols);
        if (pc.norm_cols < all) u_other = moments(false, pc.norm_cols, all);
    }
    for (uint c = gl_LocalInvocationIndex; c < pc.cols; c += LANES) {
        const float hidden = GATES == 4 ? next_memory_cell(row, c) : next_gated_unit(row, c);
        y[row * pc.y_stride + c] = T(hidden);
        if ((pc.flags & kCellOut) == 0) continue;
        const float before = (pc.flags & kCellResidual) != 0 ? float(residual[token * pc.residual_stride + c]) : 0.0;
        result[token * pc.out_stride + pc.out_column + c] = T(hidden + before);
    }
}
