// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/matmul.h"

namespace dragoman::ops {

// y = activation(x), element by element; x and y may be one tensor; types may differ (then it also converts).
// y_rows: where each row of x goes (uint per row); without it row r goes to row r.
void activate(Recorder& rec, const Tensor& x, const Tensor& y, Activation activation, const Extent& rows,
              const BufferView& y_rows = {});

// y = x + other, element by element. y may be one of them. One type for all.
void add(Recorder& rec, const Tensor& x, const Tensor& other, const Tensor& y, const Extent& rows);

// y = gate x + (1 - gate) other: a highway gate after its sigmoid (Srivastava et al. 2015). y may be one of them.
void blend(Recorder& rec, const Tensor& gate, const Tensor& x, const Tensor& other, const Tensor& y,
           const Extent& rows);

// y[i] = x[map[i]]: copies rows by index (uint per row).
void gather_rows(Recorder& rec, const Tensor& x, const BufferView& map, const Tensor& y, const Extent& rows);

}  // namespace dragoman::ops
