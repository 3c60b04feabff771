// SPDX-License-Identifier: Apache-2.0
// What the matmul kernels share: buffers, push constants and the end of every output. constant_id 0 is taken here.
#ifndef DRAGOMAN_MATMUL_IO_GLSL
#define DRAGOMAN_MATMUL_IO_GLSL

#include "matmul_end.glsl"
#include "panel.glsl"
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
#define WEIGHT_VIEW PANEL_QUAD
#endif
#ifndef X_QUAD  // four neighbouring inputs, where row starts are multiples of four
#if T_IS_F16
#define X_QUAD uvec2
#else
#define X_QUAD vec4
#endif
#endif

layout(push_constant) uniform Push { MatmulPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
#if MATMUL_TEXELS
#include "texels.glsl"
#else
layout(binding = 1) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer XQuads { X_QUAD x_quads[]; };
layout(binding = 2) readonly buffer Weights { WEIGHT_VIEW w[]; };
#endif
layout(binding = 3) readonly buffer Bias { float bias[]; };
layout(binding = 4) readonly buffer Gate { Y gate[]; };
layout(binding = 5) readonly buffer Residual { Y residual[]; };
layout(binding = 6) writeonly buffer Out { Y y[]; };
layout(binding = 7) writeonly buffer Records { uint records[]; };

// In the records, columns and tiles are counted from record_tile on.
uint tile_in_records(uint tile) { return pc.record_tile + tile; }
uint column_in_records(uint column) { return column == ~0u ? column : pc.record_tile * kPanel + column; }

// The fused end of output (row, column), the same operations in every kernel.
float matmul_value(uint row, uint column, float sum) {
    const float b = (MATMUL_FLAGS & kMatmulBias) != 0 ? bias[column] : 0.0;
    const float g = (MATMUL_FLAGS & kMatmulGate) != 0 ? float(gate[row * pc.gate_stride + column]) : 1.0;
    const float r = (MATMUL_FLAGS & kMatmulResidual) != 0 ? float(residual[row * pc.residual_stride + column]) : 0.0;
    return matmul_end(fma(sum, pc.scale, b), g, r);
}
void matmul_store(uint row, uint column, float sum) {
    y[row * pc.y_stride + column] = Y(matmul_value(row, column, sum));
}

#endif
