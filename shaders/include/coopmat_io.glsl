// SPDX-License-Identifier: Apache-2.0
// matmul_io.glsl with 16 bytes at a time: rows of x, gate, residual and y begin at multiples of 16 bytes, those of x at
// multiples of eight elements. Every binding has one view. constant_id 0 is taken here.
#ifndef DRAGOMAN_COOPMAT_IO_GLSL
#define DRAGOMAN_COOPMAT_IO_GLSL

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

// The norm that the product may begin with, as layer_norm.comp computes it. Such a product has neither gate nor
// residual: their bindings have gamma and beta, since devices need not have more of them. Rows of whole octets.

layout(binding = 9) writeonly buffer NormOut { uvec4 norm_y[]; };  // not x: other workgroups still read it

// Neighbouring lanes of a subgroup that share a row.
const uint kSpareLanes = INVOCATIONS > kTileRows ? INVOCATIONS / kTileRows : 1;
const uint kTeam = kSpareLanes < kLanes ? kSpareLanes : kLanes;
const uint kAtOnce = 4;  // loads
shared vec2 statistics[NORM != 0 ? kTileRows : 1];  // mean, 1 / deviation

struct NormOctet {
    Octet gamma, beta;
};

#if Y_IS_F16
vec4 norm_quad(uvec4 words) { return uintBitsToFloat(words); }
#else
vec4 norm_quad(vec4 quad) { return quad; }
#endif

NormOctet load_norm(uint k) {
    NormOctet norm;
    [[unroll]] for (uint q = 0; q < 2; ++q) {
        norm.gamma.quads[q] = norm_quad(gate[k / 4 + q]);
        norm.beta.quads[q] = NORM == kNormCentred ? norm_quad(residual[k / 4 + q]) : vec4(0.0);
    }
    return norm;
}

// The sum of a row, less `mean` and squared if wanted.
float team_sum(uint row, uint lane, float mean, bool squares) {
    const uint octets = pc.k / 8;
    vec4 sums = vec4(0.0);
    for (uint first = lane; first < octets; first += kAtOnce * kTeam) {
        uvec4 words[kAtOnce];
        [[unroll]] for (uint i = 0; i < kAtOnce; ++i) words[i] = load_x(row, min(first + i * kTeam, octets - 1) * 8);
        [[unroll]] for (uint i = 0; i < 2 * kAtOnce; ++i) {
            precise const vec4 centred = unpack_octet(words[i / 2]).quads[i % 2] - mean;
            const vec4 value = first + i / 2 * kTeam < octets ? centred : vec4(0.0);
            sums = fma(value, squares ? value : vec4(1.0), sums);
        }
    }
    precise float sum = (sums.x + sums.y) + (sums.z + sums.w);
    [[unroll]] for (uint step = 1; step < kTeam; step *= 2) sum += subgroupShuffleXor(sum, step);
    return sum;
}

void find_statistics(uint first_row, uint rows) {
    const uint team = (gl_SubgroupID * kLanes + gl_SubgroupInvocationID) / kTeam;
    const uint lane = gl_SubgroupInvocationID % kTeam;
    for (uint r = team; r < kTileRows; r += INVOCATIONS / kTeam) {
        const uint row = min(first_row + r, rows - 1);
        const float mean = NORM == kNormCentred ? team_sum(row, lane, 0.0, false) / float(pc.k) : 0.0;
        const float variance = team_sum(row, lane, mean, true) / float(pc.k);
        if (lane == 0) statistics[r] = vec2(mean, 1.0 / sqrt(variance + pc.epsilon));
    }
}

// The loads of inputs from `base` on. Of each share of the inputs one of the row's workgroups stores what it has.
void normalise(inout uvec4 xs[kXLoads], NormOctet norm, uint first_row, uint rows, uint base) {
    const bool stores = base / kTileInputs % gl_NumWorkGroups.y == gl_WorkGroupID.y;
    [[unroll]] for (uint i = 0; i < kXLoads; ++i) {
        const uint e = i * INVOCATIONS + gl_LocalInvocationIndex, r = e / kXOctets;
        const vec2 row = statistics[min(r, kTileRows - 1)];
        Octet octet = unpack_octet(xs[i]);
        [[unroll]] for (uint q = 0; q < 2; ++q) {
            precise const vec4 scaled = (octet.quads[q] - row.x) * row.y;
            octet.quads[q] = fma(scaled, norm.gamma.quads[q], norm.beta.quads[q]);
        }
        xs[i] = pack_octet(octet);
        const uint k = base + e % kXOctets * 8;
        if (stores && r < kTileRows && first_row + r < rows && k < pc.k)
            norm_y[((first_row + r) * pc.norm_y_stride + k) / 8] = xs[i];
    }
}

#endif
