// SPDX-License-Identifier: Apache-2.0
// Weights in panels of 64 output columns, k-major inside (lib/ops/tensor.h). f16 weights are read as packed words:
// that needs no 16-bit storage from the device, and software drivers unpack pairs faster than they load halves. A word
// of int8 weights holds four neighbouring inputs of one column, and so does one of q8; one of q4 holds eight.
#ifndef DRAGOMAN_PANEL_GLSL
#define DRAGOMAN_PANEL_GLSL

#include "types.glsl"

#ifndef W_IS_I8
#define W_IS_I8 0
#endif
#ifndef W_IS_I32  // int8 weights too, where the device has no products of packed bytes
#define W_IS_I32 0
#endif
#ifndef W_IS_Q8
#define W_IS_Q8 0
#endif
#ifndef W_IS_Q4
#define W_IS_Q4 0
#endif
#define W_HAS_BLOCKS (W_IS_Q8 || W_IS_Q4)
#define W_IS_INTEGER (W_IS_I8 || W_IS_I32)

const uint kPanel = 64;
const uint kPanelQuads = kPanel / 4;

// Declare a weight buffer as PANEL_QUAD w[], four columns of one input each, or as PANEL_WORD w[].
#if W_IS_INTEGER || W_HAS_BLOCKS
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

// Blocks of 32 inputs: rows of 64 words, one for each column; the last row has the numbers that turn the whole numbers
// of the others into weights. Weights are the same f32 values wherever they are unpacked.
#if W_HAS_BLOCKS
const uint kBlockInputs = 32;
#if W_IS_Q8
const uint kWordInputs = 4, kBlockRows = 9;
float block_value(uint word, uint i, uint numbers) {
    return float(int(word) << (24 - i % kWordInputs * 8) >> 24) * uintBitsToFloat(numbers);
}
#else
const uint kWordInputs = 8, kBlockRows = 5;
float block_value(uint word, uint i, uint numbers) {
    const vec2 scale_offset = unpackHalf2x16(numbers);
    return fma(float(word >> i % kWordInputs * 4 & 15), scale_offset.x, scale_offset.y);
}
#endif
const uint kNumbersRow = kBlockRows - 1;

// The row of words that holds input i, and the one with its numbers, counted from the panel's first.
uint block_row(uint i) { return i / kBlockInputs * kBlockRows + i % kBlockInputs / kWordInputs; }
uint numbers_row(uint i) { return i / kBlockInputs * kBlockRows + kNumbersRow; }
#endif

// Rows in a panel: of words, or one for each input.
uint panel_rows(uint k) {
#if W_HAS_BLOCKS
    return k / kBlockInputs * kBlockRows;
#elif W_IS_INTEGER
    return (k + 3) / 4;
#else
    return k;
#endif
}

#endif
