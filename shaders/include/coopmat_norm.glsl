// SPDX-License-Identifier: Apache-2.0
// The norm that matmul_coopmat.comp may begin with, as layer_norm.comp computes it. Such a product has neither gate nor
// residual: their bindings have gamma and beta, since devices need not have more of them. Rows of whole octets.
#ifndef DRAGOMAN_COOPMAT_NORM_GLSL
#define DRAGOMAN_COOPMAT_NORM_GLSL

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

// Of a row, less `mean` and perhaps squared.
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
