// SPDX-License-Identifier: Apache-2.0
// matmul_io.glsl with 16 bytes at a time: rows of x, gate, residual and y begin at multiples of 16 bytes, those of x at
// multiples of eight elements. Every binding has one view. constant_id 0 is taken here.
#ifndef DRAGOMAN_WIDE_IO_GLSL
#define DRAGOMAN_WIDE_IO_GLSL

#include "matmul_end.glsl"
#include "panel.glsl"
#include "shared/matmul.h"

#ifndef Y
#define Y T
#endif
#ifndef Y_IS_F16
#define Y_IS_F16 T_IS_F16
#endif
#if T_IS_F16
#define X_VIEW uvec4
#else
#define X_VIEW vec4
#endif
#if Y_IS_F16
#define Y_VIEW uvec4
#else
#define Y_VIEW vec4
#endif

layout(push_constant) uniform Push { MatmulPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer X { X_VIEW x[]; };
layout(binding = 2) readonly buffer Weights { uvec4 w[]; };  // eight columns of one input
layout(binding = 3) readonly buffer Bias { float bias[]; };
layout(binding = 4) readonly buffer Gate { Y_VIEW gate[]; };
layout(binding = 5) readonly buffer Residual { Y_VIEW residual[]; };
layout(binding = 6) writeonly buffer Out { Y_VIEW y[]; };
layout(binding = 7) writeonly buffer Records { uint records[]; };
layout(binding = 8) writeonly buffer OutEnds { Y y_ends[]; };  // y again, for the last columns of a row

// Two quads of neighbouring columns.
struct Octet {
    vec4 quads[2];
};

Octet octet_of(float value) { return Octet(vec4[2](vec4(value), vec4(value))); }
uvec4 pack_octet(Octet o) {
    const f16vec4 first = f16vec4(o.quads[0]), second = f16vec4(o.quads[1]);
    return uvec4(packFloat2x16(first.xy), packFloat2x16(first.zw), packFloat2x16(second.xy), packFloat2x16(second.zw));
}
Octet unpack_octet(uvec4 words) {
    return Octet(vec4[2](vec4(unpackHalf2x16(words.x), unpackHalf2x16(words.y)),
                         vec4(unpackHalf2x16(words.z), unpackHalf2x16(words.w))));
}

// Inputs k ... k + 7 of a row.
uvec4 load_x(uint row, uint k) {
    const uint at = row * pc.x_stride + k;
#if T_IS_F16
    return x[at / 8];
#else
    return pack_octet(Octet(vec4[2](x[at / 4], x[at / 4 + 1])));
#endif
}

// In the records, columns and tiles are counted from record_tile on.
uint tile_in_records(uint tile) { return pc.record_tile + tile; }
uint column_in_records(uint column) { return column == ~0u ? column : pc.record_tile * kPanel + column; }

#endif
