// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/tensor.h"

namespace dragoman::ops {

// y = softmax(scale * x) along each row, or its logarithm; scale > 0. x and y have one type and may be one tensor.
// Columns <= -1e30 and NaN are disabled: they add nothing and become 0, or -1e30 (-inf as f16) in the logarithm. If all
// columns of a row are disabled, all become that.
void softmax(Recorder& rec, const Tensor& x, const Tensor& y, float scale, bool logarithm, const Extent& rows);

}  // namespace dragoman::ops
