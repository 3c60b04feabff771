// SPDX-License-Identifier: Apache-2.0
// What takes whole rows, one per workgroup.
#version 460
#pragma variants(T = float, float16_t)
#pragma kernel(softmax)     // softmax or log-softmax of scale * x; x <= kDisabled and NaN take no part
#pragma kernel(row_maxima)  // maxima[row] = max |x|, or of groups of rows
#include "types.glsl"
#include "reduce.glsl"
#include "row_maximum.glsl"
#include "shared/matmul.h"
#include "shared/softmax.h"
#include "numbers.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 64;  // a power of two

layout(binding = 0) readonly buffer Count { uint count; };

#if KERNEL_softmax
layout(push_constant) uniform Push { SoftmaxPush pc; };
layout(binding = 1) readonly buffer X { T x[]; };
layout(binding = 2) writeonly buffer Y { T y[]; };

void main() {
    const uint row = gl_WorkGroupID.x, lane = gl_LocalInvocationIndex;
    if (row >= count) return;

    float maximum = kDisabled;
    for (uint c = lane; c < pc.cols; c += LANES) {
        const float value = float(x[row * pc.x_stride + c]);
        if (is_enabled(value)) maximum = max(maximum, pc.scale * value);
    }
    maximum = reduce_max(maximum, LANES);

    float sum = 0.0;
    for (uint c = lane; c < pc.cols; c += LANES) {
        const float value = float(x[row * pc.x_stride + c]);
        if (is_enabled(value)) sum += exp(pc.scale * value - maximum);
    }
    sum = reduce_sum(sum, LANES);

    // A row without enabled columns never uses these.
    const float inverse = sum > 0.0 ? 1.0 / sum : 0.0;
    const float log_sum = sum > 0.0 ? maximum + log(sum) : 0.0;
    for (uint c = lane; c < pc.cols; c += LANES) {
        const float value = float(x[row * pc.x_stride + c]);
        const bool enabled = is_enabled(value);
        float result;
        if (pc.logarithm != 0) result = enabled ? pc.scale * value - log_sum : kDisabled;
        else result = enabled ? exp(pc.scale * value - maximum) * inverse : 0.0;
        y[row * pc.y_stride + c] = T(result);
    }
}
#else
layout(push_constant) uniform Push { RowMaximaPush pc; };
layout(binding = 1) readonly buffer X { QUAD x_quads[]; };
layout(binding = 2) readonly buffer RowGroups { uint row_groups[]; };
layout(binding = 3) buffer Maxima { uint maxima[]; };

void main() {
    const uint row = gl_WorkGroupID.x, lane = gl_LocalInvocationIndex;
    if (row >= count) return;
    // Rows that begin with whole quads are read in quads, as far as these go.
    const uint whole = pc.stride % 4 == 0 ? pc.cols / 4 : 0;
    uvec4 most = uvec4(0);
    for (uint q = lane; q < whole; q += LANES) most = larger_bits(most, unpack_quad(x_quads[row * pc.stride / 4 + q]));
    uint bits = max(max(most.x, most.y), max(most.z, most.w));
    for (uint c = whole * 4 + lane; c < pc.cols; c += LANES)
        bits = max(bits, larger_bits(uvec4(0), vec4(QUAD_ELEMENT(x_quads, row * pc.stride + c))).x);
    bits = maximum_bits(reduce_max(finite_or_infinity(bits), LANES));
    if (lane != 0) return;
    if (pc.group_rows == 0) maxima[row] = bits;
    else atomicMax(maxima[row_groups[row] / pc.group_rows], bits);  // they begin at 0
}
#endif
