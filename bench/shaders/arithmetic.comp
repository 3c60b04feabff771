// SPDX-License-Identifier: Apache-2.0
// Multiplications with additions in registers, as a matrix product has them, in chains that hide each other's latency.
#version 460
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint KIND = 0;
layout(push_constant) uniform Push { uint rounds, factor; } pc;
layout(binding = 0) buffer Values { uint values[]; };

const uint kChains = 8, kUnrolled = 8;

// Two products of halves of words.
int pair_product(int a, int b) { return (a << 16 >> 16) * (b << 16 >> 16) + (a >> 16) * (b >> 16); }

// Four products of bytes.
int byte_products(int a, int b) {
    int sum = 0;
    [[unroll]] for (int at = 0; at < 32; at += 8) sum += bitfieldExtract(a, at, 8) * bitfieldExtract(b, at, 8);
    return sum;
}

void main() {
    const uint first = gl_GlobalInvocationID.x * kChains;
    if (KIND == 0) {
        const float factor = uintBitsToFloat(pc.factor);
        float sums[kChains];
        [[unroll]] for (uint c = 0; c < kChains; ++c) sums[c] = uintBitsToFloat(values[first + c]);
        [[dont_unroll]] for (uint i = 0; i < pc.rounds; i += kUnrolled)
            [[unroll]] for (uint u = 0; u < kUnrolled; ++u)
                [[unroll]] for (uint c = 0; c < kChains; ++c) sums[c] = fma(sums[c], factor, factor);
        [[unroll]] for (uint c = 0; c < kChains; ++c) values[first + c] = floatBitsToUint(sums[c]);
        return;
    }
    const int factor = int(pc.factor);
    int sums[kChains], weights[kChains];
    [[unroll]] for (uint c = 0; c < kChains; ++c) weights[c] = int(values[first + c]) << 16 >> 16;
    [[unroll]] for (uint c = 0; c < kChains; ++c) sums[c] = int(values[first + c]);
    [[dont_unroll]] for (uint i = 0; i < pc.rounds; i += kUnrolled)
        [[unroll]] for (uint u = 0; u < kUnrolled; ++u)
            [[unroll]] for (uint c = 0; c < kChains; ++c) {
                if (KIND == 1) sums[c] = sums[c] * factor + factor;
                if (KIND == 2) sums[c] = (sums[c] << 16 >> 16) * (factor << 16 >> 16) + factor;  // the driver may see 16 bits
                if (KIND == 5) sums[c] += weights[c] * int(i + u & 0x7f);  // it sees them, as in matmul_int8_texel.comp
                if (KIND == 3) sums[c] += pair_product(sums[c], factor);
                if (KIND == 4) sums[c] += byte_products(sums[c], factor);
            }
    [[unroll]] for (uint c = 0; c < kChains; ++c) values[first + c] = uint(sums[c]);
}
