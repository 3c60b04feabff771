// SPDX-License-Identifier: Apache-2.0
// The driver's own dot product of four bytes, in chains as in arithmetic.comp.
#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_spirv_intrinsics : require

layout(local_size_x_id = 0) in;
layout(push_constant) uniform Push { uint rounds, factor; } pc;
layout(binding = 0) buffer Values { uint values[]; };

// OpSDotKHR with DotProduct and DotProductInput4x8BitPacked, by number: older compilers of GLSL have no name for it.
spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6019, 6018], id = 4450)
int signed_dot(int a, int b, spirv_literal int format);

const uint kChains = 8, kUnrolled = 8;

void main() {
    const uint first = gl_GlobalInvocationID.x * kChains;
    const int factor = int(pc.factor);
    int sums[kChains];
    [[unroll]] for (uint c = 0; c < kChains; ++c) sums[c] = int(values[first + c]);
    [[dont_unroll]] for (uint i = 0; i < pc.rounds; i += kUnrolled)
        [[unroll]] for (uint u = 0; u < kUnrolled; ++u)
            [[unroll]] for (uint c = 0; c < kChains; ++c) sums[c] += signed_dot(sums[c], factor, 0);
    [[unroll]] for (uint c = 0; c < kChains; ++c) values[first + c] = uint(sums[c]);
}
