// SPDX-License-Identifier: Apache-2.0
// y = layer_norm(x + residual). LANES invocations share a row and keep it in registers, COUNT x 4 columns each.
#version 460
#pragma variants(T = float, float16_t)
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#include "shared/norm.h"

#if T_IS_F16
#define T_QUAD f16vec4
#else
#define T_QUAD vec4
#endif

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint INVOCATIONS = 64;
layout(constant_id = 1) const uint LANES = 64;  // a power of two; INVOCATIONS / LANES rows per workgroup
layout(constant_id = 2) const uint COUNT = 2;   // LANES * COUNT * 4 columns at least
layout(constant_id = 3) const uint QUADS = 0;   // 1: columns and strides are multiples of 4
#define IN_STEP_ID 4
#include "reduce.glsl"

layout(push_constant) uniform Push { LayerNormPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer X { T_QUAD x[]; };
layout(binding = 2) readonly buffer Residual { T_QUAD residual[]; };
layout(binding = 3) readonly buffer Gamma { vec4 gamma[]; };
layout(binding = 4) readonly buffer Beta { vec4 beta[]; };
layout(binding = 5) writeonly buffer Out { T_QUAD y[]; };

// Element `at` of a buffer of quads.
#define ELEMENT(quads, at) quads[(at) / 4][(at) % 4]

vec4 load(uint row, uint column) {
    const bool has_residual = (pc.flags & kNormResidual) != 0;
    const uint x_at = row * pc.x_stride + column, residual_at = row * pc.residual_stride + column;
    if (QUADS != 0) {
        if (column >= pc.cols) return vec4(0.0);
        const vec4 quad = vec4(x[x_at / 4]);
        return has_residual ? quad + vec4(residual[residual_at / 4]) : quad;
    }
    vec4 quad = vec4(0.0);
    [[unroll]] for (uint i = 0; i < 4; ++i) {
        if (column + i < pc.cols) {
            quad[i] = float(ELEMENT(x, x_at + i));
            if (has_residual) quad[i] += float(ELEMENT(residual, residual_at + i));
        }
    }
    return quad;
}

// 1 for columns of the row, 0 past its end.
vec4 inside(uint column) { return vec4(lessThan(uvec4(column) + uvec4(0, 1, 2, 3), uvec4(pc.cols))); }

void main() {
    const uint lane = gl_LocalInvocationIndex % LANES;
    const uint wanted = gl_WorkGroupID.x * (INVOCATIONS / LANES) + gl_LocalInvocationIndex / LANES;
    const bool live = wanted < count;
    // Rows past the end do the last one's work, so that all invocations reach the barriers.
    const uint row = min(wanted, max(count, 1) - 1);
    const bool centred = (pc.flags & kNormBeta) != 0;

    vec4 values[COUNT];
    vec4 sum = vec4(0.0);
    [[unroll]] for (uint i = 0; i < COUNT; ++i) {
        values[i] = load(row, (i * LANES + lane) * 4);
        sum += values[i];
    }
    const float mean = centred ? reduce_sum(sum.x + sum.y + sum.z + sum.w, LANES) / float(pc.cols) : 0.0;
    vec4 squares = vec4(0.0);
    [[unroll]] for (uint i = 0; i < COUNT; ++i) {
        values[i] = (values[i] - mean) * inside((i * LANES + lane) * 4);
        squares = fma(values[i], values[i], squares);
    }
    const float variance = reduce_sum(squares.x + squares.y + squares.z + squares.w, LANES) / float(pc.cols);
    const float inverse = 1.0 / sqrt(variance + pc.epsilon);

    if (!live) return;
    [[unroll]] for (uint i = 0; i < COUNT; ++i) {
        const uint column = (i * LANES + lane) * 4, y_at = row * pc.y_stride + column;
        const vec4 value = values[i] * inverse;
        if (QUADS != 0) {
            if (column >= pc.cols) return;
            const vec4 shift = centred ? beta[column / 4] : vec4(0.0);
            y[y_at / 4] = T_QUAD(fma(value, gamma[column / 4], shift));
        } else {
            [[unroll]] for (uint j = 0; j < 4; ++j) {
                if (column + j >= pc.cols) return;
                const float shift = centred ? ELEMENT(beta, column + j) : 0.0;
                ELEMENT(y, y_at + j) = T(fma(value[j], ELEMENT(gamma, column + j), shift));
            }
        }
    }
}
