// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/tensor.h"

namespace dragoman::ops {

// Row i of `some` = row ids[i] of `all`; ids past the end of `all` read its last row. Rows of `some` past the live
// count become 0, or `otherwise` where they are f32. Both have one type and k. A vector of values per output is an f32
// matrix with k = 1.
void gather_outputs(Recorder& rec, const Weight& all, const BufferView& ids, const Weight& some, const Extent& count,
                    float otherwise = 0.0f);

// columns[r][i] = ids[columns[r][i]], `per_row` of them in each row, where there is such an id; in place.
void name_columns(Recorder& rec, const BufferView& ids, const BufferView& columns, uint32_t per_row,
                  const Extent& rows);

inline constexpr uint32_t kNoPlace = 0xffffffffu;

// y[r][c] = x[r][places[c]], or `otherwise` where places[c] is kNoPlace. f32.
void spread_columns(Recorder& rec, const Tensor& x, const BufferView& places, const Tensor& y, float otherwise,
                    const Extent& rows);

}  // namespace dragoman::ops
