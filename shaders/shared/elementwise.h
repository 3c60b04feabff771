// SPDX-License-Identifier: Apache-2.0
#ifndef DRAGOMAN_SHARED_ELEMENTWISE_H
#define DRAGOMAN_SHARED_ELEMENTWISE_H
#include "shared/scalar.h"
DRAGOMAN_SHARED_BEGIN

// ops::Activation by number.
const uint kActivationRelu = 0u;
const uint kActivationGeluTanh = 1u;
const uint kActivationSwish = 2u;
const uint kActivationGelu = 3u;
const uint kActivationGeluSigmoid = 4u;
const uint kActivationTanh = 5u;
const uint kActivationSigmoid = 6u;
const uint kActivationNone = 7u;

struct ActivatePush {
    uint cols, x_stride, y_stride;
    uint mapped;  // 1: a row goes where the map says
};

struct BlendPush {
    uint cols, gate_stride, x_stride, other_stride, y_stride;
    uint gated;  // 0: a plain sum
};

struct GatherRowsPush {
    uint cols, x_rows, x_stride, y_stride;
};

// Rows of a weight matrix in panels.
const uint kGatherInputs = 16u;  // words of each column per workgroup
struct GatherOutputsPush {
    uint n;       // outputs of the whole matrix
    uint begin, end;  // those of this part; what is taken from others stays as it is, or becomes 0 with the first part
    uint inputs;  // words per column; elements where two halves share a word
    uint halves;  // 1: f16
};

struct SpreadColumnsPush {
    uint x_cols, x_stride, y_cols, y_stride, beam;  // beam 0: every column is permitted
    uint whole;  // 0: tiles without a permitted column are not written
};

DRAGOMAN_SHARED_END
#endif
