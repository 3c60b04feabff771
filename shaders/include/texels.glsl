// SPDX-License-Identifier: Apache-2.0
// x and W as texel buffers of 16-byte texels, for the kernels of CPU devices.
#ifndef DRAGOMAN_TEXELS_GLSL
#define DRAGOMAN_TEXELS_GLSL

layout(binding = 1) uniform utextureBuffer x_texels;
layout(binding = 2) uniform utextureBuffer w_texels;

// Quad of neighbouring inputs; each row of x begins with a whole one.
vec4 fetch_quad(uint quad) {
#if T_IS_F16
    const uvec4 words = texelFetch(x_texels, int(quad / 2));
    const uvec2 halves = (quad & 1) != 0 ? words.zw : words.xy;
    return vec4(unpackHalf2x16(halves.x), unpackHalf2x16(halves.y));
#else
    return uintBitsToFloat(texelFetch(x_texels, int(quad)));
#endif
}

#endif
