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

DRAGOMAN_SHARED_END
#endif
