// SPDX-License-Identifier: Apache-2.0
#ifndef DRAGOMAN_SHARED_RECURRENCE_H
#define DRAGOMAN_SHARED_RECURRENCE_H
#include "shared/scalar.h"
DRAGOMAN_SHARED_BEGIN

struct RecurrencePush {
    uint cols;                           // of the state
    uint cache_rows, max_steps, beam;    // max_steps: of the ancestry
    uint x_stride, x2_stride, y_stride;  // elements
    uint x2_column;                      // of the second input's first value
};

// A gated cell (lib/ops/gated_cell.h). Strides count elements between rows.
const uint kCellInput = 1u;     // it has an input; else its first parameters are what takes the input's place
const uint kCellTimed = 2u;     // rows are sentences, at their token of the time
const uint kCellBackward = 4u;  // times count from the sentence's end
const uint kCellOut = 8u;
const uint kCellResidual = 16u;  // added to what goes out
struct GatedCellPush {
    uint cols;  // of the hidden state
    uint x_stride, u_stride, y_stride, residual_stride, out_stride;
    uint out_column;  // the first of the output
    uint norm_cols;   // of the first norm, the second takes the rest; 0: none
    uint flags, time;
    float epsilon;
};

DRAGOMAN_SHARED_END
#endif
