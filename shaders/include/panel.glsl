// SPDX-License-Identifier: Apache-2.0
// Weights in panels of 64 output columns, k-major inside (lib/ops/tensor.h). f16 weights are read as packed words:
// that needs no 16-bit storage from the device, and software drivers unpack pairs faster than they load halves. A word
// of int8 weights holds four neighbouring inputs of one column.
#ifndef DRAGOMAN_PANEL_GLSL
#define DRAGOMAN_PANEL_GLSL

#ifndef W_IS_I8
#define W_IS_I8 0
#endif

const uint kPanel = 64;
const uint kPanelQuads = kPanel / 4;

// Declare a weight buffer as PANEL_QUAD w[], four columns of one input each, or as PANEL_WORD w[].
#if W_IS_I8
#define PANEL_QUAD uvec4
#define PANEL_WORD uint
#define PANEL_WORD_COLUMNS 1
#elif W_IS_F16
#define PANEL_QUAD uvec2
#define PANEL_WORD uint
#define PANEL_WORD_COLUMNS 2
#else
#define PANEL_QUAD vec4
#define PANEL_WORD float
#define PANEL_WORD_COLUMNS 1
#endif

vec4 unpack_quad(vec4 quad) { return quad; }
vec4 unpack_quad(uvec2 quad) { return vec4(unpackHalf2x16(quad.x), unpackHalf2x16(quad.y)); }

// The column's value from the word that holds it.
float panel_value(float word, uint column) { return word; }
float panel_value(uint word, uint column) { return unpackHalf2x16(word >> (column & 1) * 16).x; }

// Element (output, input) of W [n, k], counted in elements.
uint panel_index(uint panel_output, uint panel_input, uint k) {
    return panel_output / kPanel * kPanel * k + panel_input * kPanel + panel_output % kPanel;
}

// The word of an int8 W that holds element (output, input), and the element in it.
uint panel_int8_index(uint panel_output, uint panel_input, uint k) {
    return panel_output / kPanel * kPanel * ((k + 3) / 4) + panel_input / 4 * kPanel + panel_output % kPanel;
}
float panel_int8(uint word, uint panel_input) { return float(int(word) << (24 - panel_input % 4 * 8) >> 24); }

#endif
