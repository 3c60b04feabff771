// SPDX-License-Identifier: Apache-2.0
// What the int8 matmul kernels share, as matmul_io.glsl does for the others.
#ifndef DRAGOMAN_MATMUL_INT8_IO_GLSL
#define DRAGOMAN_MATMUL_INT8_IO_GLSL

#include "int8.glsl"
#include "matmul_end.glsl"
#include "shared/matmul.h"

#ifndef MATMUL_TEXELS
#define MATMUL_TEXELS 0
#endif
#ifndef Y
#define Y T
#endif
#ifndef MATMUL_FLAGS  // a kernel may have them as a constant
#define MATMUL_FLAGS pc.flags
#endif
#ifndef WEIGHT_VIEW
#define WEIGHT_VIEW uint
#endif
#ifndef X_QUAD  // four neighbouring inputs, where row starts are multiples of four
#if T_IS_F16
#define X_QUAD uvec2
#else
#define X_QUAD vec4
#endif
#endif

const uint kPanel = 64;

layout(push_constant) uniform Push { MatmulInt8Push pc; };
layout(binding = 0) readonly buffer Count { uint count; };
#if MATMUL_TEXELS
#include "texels.glsl"
#else
layout(binding = 1) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer XQuads { X_QUAD x_quads[]; };
layout(binding = 2) readonly buffer Weights { WEIGHT_VIEW w[]; };
#endif
layout(binding = 3) readonly buffer Units { float units[]; };  // per output: what 1 of the integer sum stands for
layout(binding = 4) readonly buffer Bias { float bias[]; };
layout(binding = 5) readonly buffer Gate { Y gate[]; };
layout(binding = 6) readonly buffer Residual { Y residual[]; };
layout(binding = 7) readonly buffer Maxima { float maxima[]; };
layout(binding = 8) readonly buffer RowGroups { uint row_groups[]; };
layout(binding = 9) writeonly buffer Out { Y y[]; };

vec4 unpack_x(vec4 quad) { return quad; }
vec4 unpack_x(uvec2 quad) { return vec4(unpackHalf2x16(quad.x), unpackHalf2x16(quad.y)); }

bool is_dynamic() { return (MATMUL_FLAGS & kMatmulDynamic) != 0; }
float row_maximum(uint row) { return maxima[row_groups[row] / pc.group_rows]; }
float input_scale(uint row, uint panel) {
    if (is_dynamic()) return dynamic_scale(row_maximum(row));
    return (MATMUL_FLAGS & kMatmulPanelScales) != 0 ? maxima[panel] : pc.input_scale;
}

// Inputs k ... k + 3 of the row that begins at `begin`, as int8 values; those past the end are 0.
vec4 load_x(uint begin, uint k, float scale, bool quads) {
#if MATMUL_TEXELS
    return rounded(fetch_quad((begin + k) / 4), scale);
#else
    if (quads) return rounded(unpack_x(x_quads[(begin + k) / 4]), scale);
    vec4 quad = vec4(0.0);
    for (uint i = 0; i < 4; ++i)
        if (k + i < pc.k) quad[i] = float(x[begin + k + i]);
    return rounded(quad, scale);
#endif
}

// What an output's integer sum is multiplied by and then added to, the dynamic scale left out.
struct Column {
    float unit, bias;
};
Column load_column(uint column) {
    return Column(units[column] * pc.scale, (MATMUL_FLAGS & kMatmulBias) != 0 ? bias[pc.column + column] : 0.0);
}

// The product is not fused with the addition: so does the arithmetic this follows. NVIDIA's compiler (580) fuses them
// although they are `precise`; it cannot where the product is a factor.
float column_sum(Column column, int sum, float range) {
    precise float value = float(sum) * (column.unit * range);
    value = fma(value, pc.one, column.bias);
    return value;
}
float row_range(uint row) { return is_dynamic() ? row_maximum(row) * (1.0 / 127.0) : 1.0; }

// The fused end of output (row, column), the same operations in every kernel.
void matmul_store(uint row, uint column, Column c, int sum) {
    column += pc.column;
    const float g = (MATMUL_FLAGS & kMatmulGate) != 0 ? float(gate[row * pc.gate_stride + column]) : 1.0;
    const float r = (MATMUL_FLAGS & kMatmulResidual) != 0 ? float(residual[row * pc.residual_stride + column]) : 0.0;
    y[row * pc.y_stride + column] = Y(matmul_end(column_sum(c, sum, row_range(row)), g, r));
}

#endif
