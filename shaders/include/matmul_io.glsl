// SPDX-License-Identifier: Apache-2.0
// What the matmul kernels share: buffers, push constants and the end of every output. constant_id 0 is taken here.
#ifndef DRAGOMAN_MATMUL_IO_GLSL
#define DRAGOMAN_MATMUL_IO_GLSL

#include "matmul_end.glsl"
#include "panel.glsl"
#include "shared/matmul.h"

#ifndef Y
#define Y T
#define Y_IS_F16 T_IS_F16
#endif
#ifndef MATMUL_FLAGS  // a kernel may have them as a constant
#define MATMUL_FLAGS pc.flags
#endif
#ifndef WEIGHT_VIEW
#define WEIGHT_VIEW PANEL_QUAD
#endif

layout(push_constant) uniform Push { MatmulPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
#ifndef MATMUL_TEXELS  // matmul_texel.glsl has them
layout(binding = 1) readonly buffer X { QUAD x_quads[]; };
layout(binding = 2) readonly buffer Weights { WEIGHT_VIEW w[]; };
layout(binding = 4) readonly buffer Gate { Y gate[]; };
layout(binding = 5) readonly buffer Residual { Y residual[]; };

float x_element(uint at) { return QUAD_ELEMENT(x_quads, at); }
// Inputs from element `at` on, in `whole` quads a multiple of 4.
vec4 x_quad(uint at, bool whole) {
    if (whole) return unpack_quad(x_quads[at / 4]);
    return vec4(x_element(at), x_element(at + 1), x_element(at + 2), x_element(at + 3));
}
float gate_of(uint row, uint column) { return float(gate[row * pc.gate_stride + column]); }
float residual_of(uint row, uint column) { return float(residual[row * pc.residual_stride + column]); }
#endif
layout(binding = 3) readonly buffer Bias { float bias[]; };
layout(binding = 6) writeonly buffer Out { Y y[]; };
layout(binding = 7) writeonly buffer Records { uint records[]; };
#if W_IS_INTEGER || defined(MATMUL_INTEGERS)  // a kernel of both has the same buffers with all weights
layout(binding = 8) readonly buffer Units { float units[]; };  // per output: what 1 of the integer sum stands for
layout(binding = 9) readonly buffer Maxima { float maxima[]; };
layout(binding = 10) readonly buffer RowGroups { uint row_groups[]; };
#endif

// Column of an output in bias, gate, residual and y.
uint out_column(uint column) {
#if W_IS_INTEGER
    return pc.column + column;  // of others, the buffers begin at the first output
#else
    return column;
#endif
}

// In the records, columns and tiles are counted from record_tile on.
uint tile_in_records(uint tile) { return pc.record_tile + tile; }
uint column_in_records(uint column) { return column == ~0u ? column : pc.record_tile * kPanel + column; }

#if W_IS_INTEGER
// Numbers rounded to int8, and products of four of them packed in a word (the first in the low byte). Needs neither
// 8-bit storage nor 8-bit arithmetic. With W_IS_I8, and GL_EXT_integer_dot_product, products are packed.

// round(x * scale) to even, in -127 ... 127.
float rounded(float x, float scale) {
    precise float scaled = x * scale;
    return roundEven(clamp(scaled, -127.0, 127.0));
}
vec4 rounded(vec4 x, float scale) {
    precise vec4 scaled = x * scale;
    return roundEven(clamp(scaled, -127.0, 127.0));
}

uint pack_int8(vec4 whole) {
    const ivec4 bytes = ivec4(whole) & 0xff;
    return uint(bytes.x | bytes.y << 8 | bytes.z << 16 | bytes.w << 24);
}

// Half the bits of x (Veltkamp); the rest is x - upper_half(x).
float upper_half(float x) {
    precise float wide = 4097.0 * x;
    precise float upper = wide - (wide - x);
    return upper;
}

// 127 / largest, correctly rounded, since inputs often lie between two whole numbers to the bit: a division may be off
// by a few units in the last place, and fma need not be exact either. What is almost nothing becomes 0, and NaN.
float dynamic_scale(float largest) {
    if (!(largest > 1e-30)) return 0.0;
    precise float quotient = 127.0 / largest;
    precise float product = quotient * largest;
    const float a = upper_half(quotient), b = upper_half(largest);
    precise float c = quotient - a, d = largest - b;
    precise float error = ((a * b - product) + a * d + c * b) + c * d;  // of the product (Dekker)
    precise float rest = (127.0 - product) - error;
    precise float scale = quotient + rest / largest;
    return scale;
}

#if W_IS_I8
int dot4(uint a, uint b) { return dotPacked4x8EXT(int(a), int(b)); }
#else
int dot4(uint a, uint b) {
    const int p = int(a), q = int(b);
    return (p << 24 >> 24) * (q << 24 >> 24) + (p << 16 >> 24) * (q << 16 >> 24) + (p << 8 >> 24) * (q << 8 >> 24) +
           (p >> 24) * (q >> 24);
}
#endif

bool is_dynamic() { return (MATMUL_FLAGS & kMatmulDynamic) != 0; }
float row_maximum(uint row) {
    if ((MATMUL_FLAGS & kMatmulRowMaxima) != 0) return maxima[row];
    return maxima[row_groups[row] / pc.group_rows];
}
float input_scale(uint row, uint panel) {
    if (is_dynamic()) return dynamic_scale(row_maximum(row));
    return (MATMUL_FLAGS & kMatmulPanelScales) != 0 ? maxima[panel] : pc.input_scale;
}
float row_range(uint row) { return is_dynamic() ? row_maximum(row) * (1.0 / 127.0) : 1.0; }

// The factor and the summand for an output's integer sum, without the dynamic scale.
struct Column {
    float unit, bias;
};
Column load_column(uint column) {
    return Column(units[column] * pc.scale, (MATMUL_FLAGS & kMatmulBias) != 0 ? bias[out_column(column)] : 0.0);
}
// The product is not fused with the addition: so does the arithmetic this follows. NVIDIA's compiler (580) fuses them
// although they are `precise`; it cannot where the product is a factor.
float column_sum(Column column, int sum, float range) {
    precise float value = float(sum) * (column.unit * range);
    value = fma(value, pc.one, column.bias);
    return value;
}
#else
struct Column {
    float bias;
};
Column load_column(uint column) { return Column((MATMUL_FLAGS & kMatmulBias) != 0 ? bias[column] : 0.0); }
float row_range(uint row) { return 1.0; }
float column_sum(Column column, float sum, float range) { return fma(sum, pc.scale, column.bias); }
#endif

float matmul_end(uint row, uint column, float sum) {
    column = out_column(column);
    const float g = (MATMUL_FLAGS & kMatmulGate) != 0 ? gate_of(row, column) : 1.0;
    const float r = (MATMUL_FLAGS & kMatmulResidual) != 0 ? residual_of(row, column) : 0.0;
    return matmul_end(sum, g, r);
}

#if !W_IS_INTEGER
float matmul_value(uint row, uint column, float sum) {
    return matmul_end(row, column, column_sum(load_column(column), sum, 1.0));
}
#endif

#endif
