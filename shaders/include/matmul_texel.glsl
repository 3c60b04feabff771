// SPDX-License-Identifier: Apache-2.0
// What the matmul kernels of CPU devices share: x and W are texel buffers, since lavapipe loads 16 bytes of a texel
// buffer at once, and from storage buffers 8 at most, each behind a branch of its own. A workgroup is one subgroup of
// LANES: it keeps ROWS x LANES * 8 sums in registers, loads every x and w once, and passes x around by shuffles. Row
// starts of x are multiples of four inputs, and so is k. Define Y_PAIRS, where y is bound a second time.
#ifndef DRAGOMAN_MATMUL_TEXEL_GLSL
#define DRAGOMAN_MATMUL_TEXEL_GLSL

#define MATMUL_TEXELS
// CPU devices run what a branch leaves out, so what is not there must be known to the compiler.
layout(constant_id = 3) const uint FLAGS = 0;
#define MATMUL_FLAGS FLAGS
#include "types.glsl"
#ifndef Y
#define Y_IS_F16 T_IS_F16
#endif
layout(binding = 1) uniform utextureBuffer x_texels;
layout(binding = 2) uniform utextureBuffer w_texels;
#if Y_IS_F16
layout(binding = 4) readonly buffer Gate { float16_t gate[]; };
layout(binding = 5) readonly buffer Residual { float16_t residual[]; };
float element_of_gate(uint at) { return float(gate[at]); }
float element_of_residual(uint at) { return float(residual[at]); }
#else  // two floats per access
layout(binding = 4) readonly buffer Gate { uint64_t gate_pairs[]; };
layout(binding = 5) readonly buffer Residual { uint64_t residual_pairs[]; };
float element_of_gate(uint at) { return uintBitsToFloat(unpack32(gate_pairs[at / 2])[at % 2]); }
float element_of_residual(uint at) { return uintBitsToFloat(unpack32(residual_pairs[at / 2])[at % 2]); }
#endif
layout(binding = Y_PAIRS) writeonly buffer OutPairs { uint64_t y_pairs[]; };
#define gate_of(row, column) element_of_gate((row) * pc.gate_stride + (column))
#define residual_of(row, column) element_of_residual((row) * pc.residual_stride + (column))
#include "matmul_io.glsl"

layout(local_size_x_id = 1) in;
layout(constant_id = 1) const uint LANES = 8;
layout(constant_id = 2) const uint ROWS = 8;

const uint kOctets = kPanel / 8;           // of one row in a panel
const uint kParts = kOctets / LANES;       // workgroups per panel

// Quad of neighbouring inputs; each row of x begins with a whole one.
vec4 load_x_quad(uint quad) {
#if T_IS_F16
    const uvec4 words = texelFetch(x_texels, int(quad / 2));
    const uvec2 halves = (quad & 1) != 0 ? words.zw : words.xy;
    return vec4(unpackHalf2x16(halves.x), unpackHalf2x16(halves.y));
#else
    return uintBitsToFloat(texelFetch(x_texels, int(quad)));
#endif
}
// Words of eight neighbouring columns.
uvec4[2] load_words(uint octet) {
    return uvec4[2](texelFetch(w_texels, int(octet * 2)), texelFetch(w_texels, int(octet * 2 + 1)));
}

// Whether eight outputs of every row from `column` on are pairs, and there.
bool stores_octets(uint column) {
    return ((pc.y_stride | pc.gate_stride | pc.residual_stride | out_column(column)) & 1) == 0 && column + 8 <= pc.n;
}

// What a loop counts selects from these, without an array in memory.
float one_of(float values[8], uint i) {
    float value = values[0];
    [[unroll]] for (uint j = 1; j < 8; ++j) value = i == j ? values[j] : value;
    return value;
}

// Those past the last output repeat it.
Column[8] load_columns(uint column) {
    Column columns[8];
    [[unroll]] for (uint i = 0; i < 8; ++i) columns[i].bias = 0.0;
#if !W_IS_INTEGER
    if ((MATMUL_FLAGS & kMatmulBias) == 0) return columns;
#endif
    [[dont_unroll]] for (uint c = 0; c < 8; ++c) {
        const Column loaded = load_column(min(column + c, pc.n - 1));
        [[unroll]] for (uint i = 0; i < 8; ++i) {
            columns[i].bias = c == i ? loaded.bias : columns[i].bias;
#if W_IS_INTEGER
            columns[i].unit = c == i ? loaded.unit : columns[i].unit;
#endif
        }
    }
    return columns;
}

// `sums` of eight neighbouring columns include the bias.
void end_columns(uint row, uint column, float sums[8]) {
    [[dont_unroll]] for (uint c = 0; c < 8 && column + c < pc.n; ++c)
        y[row * pc.y_stride + out_column(column + c)] = Y(matmul_end(row, column + c, one_of(sums, c)));
}

// With few inputs, the ends of outputs take much of the time: two per access.
#if !Y_IS_F16
void store_columns(uint row, uint column, float ends[8]) {
    [[dont_unroll]] for (uint c = 0; c < 8 && column + c < pc.n; ++c)
        y[row * pc.y_stride + column + c] = one_of(ends, c);
}

void store_pair(uint pair, vec2 values) { y_pairs[pair] = pack64(floatBitsToUint(values)); }

void end_octet(uint row, uint column, float sums[8]) {
    const uint gate_at = (row * pc.gate_stride + column) / 2;
    const uint residual_at = (row * pc.residual_stride + column) / 2;
    const uint y_at = (row * pc.y_stride + column) / 2;
    [[dont_unroll]] for (uint i = 0; i < 4; ++i) {
        vec2 gates = vec2(1.0), residuals = vec2(0.0);
        if ((MATMUL_FLAGS & kMatmulGate) != 0) gates = uintBitsToFloat(unpack32(gate_pairs[gate_at + i]));
        if ((MATMUL_FLAGS & kMatmulResidual) != 0)
            residuals = uintBitsToFloat(unpack32(residual_pairs[residual_at + i]));
        vec2 pair = vec2(sums[0], sums[1]);
        [[unroll]] for (uint j = 1; j < 4; ++j) pair = i == j ? vec2(sums[2 * j], sums[2 * j + 1]) : pair;
        store_pair(y_at + i, vec2(matmul_end(pair.x, gates.x, residuals.x), matmul_end(pair.y, gates.y, residuals.y)));
    }
}

void store_octet(uint row, uint column, float ends[8]) {
    const uint y_at = (row * pc.y_stride + column) / 2;
    [[unroll]] for (uint i = 0; i < 4; ++i) store_pair(y_at + i, vec2(ends[2 * i], ends[2 * i + 1]));
}
#endif

#endif
