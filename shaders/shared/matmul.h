// SPDX-License-Identifier: Apache-2.0
#ifndef DRAGOMAN_SHARED_MATMUL_H
#define DRAGOMAN_SHARED_MATMUL_H
#include "shared/scalar.h"
DRAGOMAN_SHARED_BEGIN

const uint kMatmulBias = 1u;
const uint kMatmulGate = 2u;
const uint kMatmulResidual = 4u;
const uint kMatmulNoStore = 16u;  // y is not written: its records (shared/topk.h) are all that is wanted
const uint kMatmulRecords = 32u;  // in kernels that have their flags as a constant
const uint kMatmulRelu = 128u;    // outputs end with max(y, 0) in matmul_texel without an activation

struct MatmulPush {
    uint n, k;
    uint x_stride, gate_stride, residual_stride, y_stride;  // elements
    uint flags;                                             // kMatmul...: the optional buffers in use
    float scale;
    uint record_tile, record_tiles;  // where the first output's tile is in a row of records, and how many that has
    uint norm_y_stride;
    float epsilon;
    float one;  // 1, which compilers do not know
    // With int8 weights:
    float input_scale;
    uint group_rows;
    uint column;  // of the first output in bias, gate, residual and y
};

// A norm of x that the split kernel begins with.
const uint kNormScaled = 1u;   // RMSNorm
const uint kNormCentred = 2u;  // LayerNorm

// Integer products: x is rounded to int8 on its way into the kernel.
const uint kMatmulDynamic = 8u;        // its scale is 127 / maxima[groups[row] / group_rows], not input_scale
const uint kMatmulPanelScales = 64u;   // its scale is maxima[panel], as many as panels of outputs, not input_scale
const uint kInt8MaxInputs = 1u << 17;  // 2^17 * 127 * 128 < 2^31

struct RowMaximaPush {
    uint cols, stride;
    uint group_rows;
};

DRAGOMAN_SHARED_END
#endif
