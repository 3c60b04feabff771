// SPDX-License-Identifier: Apache-2.0
// Recurrent states, f32 [2][cache rows][cols] by parity of the step (lib/ops/recurrence.h), one live row per workgroup:
// where it finds what came before and leaves what comes next.
#version 460
#pragma variants(T = float, float16_t)
#pragma kernel(ssru_step)  // one step of a simpler simple recurrent unit
#pragma kernel(gru_step)  // of a gated recurrent unit; the products of both matrices are there already
#pragma kernel(average_step)  // of a running mean of the inputs so far
#pragma kernel(load_state)  // y = the state after the step before
#pragma kernel(load_cell_state)  // the same, or that with which the sentence starts
#pragma kernel(keep_cell)  // keeps the state after a step for the next one
#pragma variants(T = float)
#include "types.glsl"
#include "activation.glsl"
#include "shared/recurrence.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint INVOCATIONS = 64;

layout(push_constant) uniform Push { RecurrencePush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer LiveRows { uint live_rows[]; };
layout(binding = 2) readonly buffer Position { uint position[]; };
layout(binding = 3) readonly buffer Ancestry { uint ancestry[]; };
layout(binding = 4) buffer States { float states[]; };

uint at_step;
uint before;  // where the state after the step before begins; not to be read at step 0
uint after;

// Column c of the state before; zeros before the first step.
float state_before(uint c) { return at_step == 0 ? 0.0 : states[before + c]; }

#if KERNEL_ssru_step
layout(binding = 5) readonly buffer Candidate { T candidate[]; };
layout(binding = 6) readonly buffer Forget { T forget[]; };
layout(binding = 7) writeonly buffer Out { T y[]; };

void step_column(uint row, uint c) {
    const float z = float(candidate[row * pc.x_stride + c]);
    const float keep = sigmoid(float(forget[row * pc.x2_stride + pc.x2_column + c]));
    precise float state = fma(keep, state_before(c) - z, z);
    states[after + c] = state;
    y[row * pc.y_stride + c] = T(max(state, 0.0));
}
#elif KERNEL_gru_step
layout(binding = 5) readonly buffer Input { T x[]; };         // [rows, 3 cols]: reset, update, candidate
layout(binding = 6) readonly buffer StateProduct { T u[]; };  // the same of the state before
layout(binding = 7) writeonly buffer Out { T y[]; };

void step_column(uint row, uint c) {
    const uint x_at = row * pc.x_stride, u_at = row * pc.x2_stride;
    const uint update_at = pc.cols + c, candidate_at = 2 * pc.cols + c;
    const float reset = sigmoid(float(x[x_at + c]) + float(u[u_at + c]));
    const float update = sigmoid(float(x[x_at + update_at]) + float(u[u_at + update_at]));
    precise float candidate = tanh_stable(fma(reset, float(u[u_at + candidate_at]), float(x[x_at + candidate_at])));
    precise float state = fma(update, state_before(c) - candidate, candidate);
    states[after + c] = state;
    y[row * pc.y_stride + c] = T(state);
}
#elif KERNEL_average_step
layout(binding = 5) readonly buffer X { T x[]; };
layout(binding = 6) writeonly buffer Out { T y[]; };

void step_column(uint row, uint c) {
    const float steps = float(at_step), inputs = steps + 1.0;
    precise float state = fma(steps, state_before(c), float(x[row * pc.x_stride + c])) / inputs;
    states[after + c] = state;
    y[row * pc.y_stride + c] = T(state);
}
#elif KERNEL_load_state
layout(binding = 5) writeonly buffer Out { T y[]; };

void step_column(uint row, uint c) { y[row * pc.y_stride + c] = T(state_before(c)); }
#elif KERNEL_load_cell_state
layout(binding = 5) readonly buffer Start { float start[]; };  // [tokens, x_stride]: hidden states
layout(binding = 6) readonly buffer SourceBegin { uint source_begin[]; };
layout(binding = 7) writeonly buffer Hidden { float hidden[]; };
layout(binding = 8) writeonly buffer Out { T y[]; };

void step_column(uint row, uint c) {
    const uint start_at = source_begin[live_rows[row] / pc.beam] * pc.x_stride;
    // Memory cells start as the hidden state does.
    const float value = at_step == 0 ? start[start_at + c % pc.x_stride] : state_before(c);
    hidden[row * pc.cols + c] = value;
    if (c < pc.x_stride) y[row * pc.y_stride + c] = T(value);
}
#else
layout(binding = 5) readonly buffer Hidden { float hidden[]; };

void step_column(uint row, uint c) { states[after + c] = hidden[row * pc.cols + c]; }
#endif

void main() {
    const uint row = gl_WorkGroupID.x;
    if (row >= count) return;
    const uint cache_row = live_rows[row], parity = position[cache_row] & 1;
    at_step = position[cache_row];
    uint parent = cache_row;
    if (pc.beam > 1 && at_step > 0)
        parent = cache_row / pc.beam * pc.beam +
                 ancestry[(parity * pc.cache_rows + cache_row) * pc.max_steps + at_step - 1];
    before = ((1 - parity) * pc.cache_rows + parent) * pc.cols;
    after = (parity * pc.cache_rows + cache_row) * pc.cols;
    for (uint c = gl_LocalInvocationIndex; c < pc.cols; c += INVOCATIONS) step_column(row, c);
}
