// SPDX-License-Identifier: Apache-2.0
// Numbers rounded to int8, and products of four of them packed in a word (the first in the low byte). Needs neither
// 8-bit storage nor 8-bit arithmetic. With W_IS_I8, and GL_EXT_integer_dot_product, products are packed.
#ifndef DRAGOMAN_INT8_GLSL
#define DRAGOMAN_INT8_GLSL

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

// Component `at` of each word.
vec4 unpack_int8(ivec4 words, uint at) { return vec4(words << (24 - 8 * at) >> 24); }

// Half the bits of x (Veltkamp); the rest is x - upper_half(x).
float upper_half(float x) {
    precise float wide = 4097.0 * x;
    precise float upper = wide - (wide - x);
    return upper;
}

// 127 / largest, correctly rounded, since inputs often lie between two whole numbers to the bit: a division may be off
// by a few units in the last place, and fma need not be exact either. What is almost nothing becomes 0.
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
    return (p << 24 >> 24) * (q << 24 >> 24) + (p << 16 >> 24) * (q << 16 >> 24) +
           (p << 8 >> 24) * (q << 8 >> 24) + (p >> 24) * (q >> 24);
}
#endif

#endif
