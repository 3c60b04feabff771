// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <optional>

#include "ops/tensor.h"

namespace dragoman::ops {

// Row i of `some` = row ids[i] of `all`; ids past the end of `all` read its last row. Rows of `some` past the live
// count become 0. Both have one type and k. A vector of values per output is an f32 matrix with k = 1.
void gather_outputs(Recorder& rec, const Weight& all, const BufferView& ids, const Weight& some, const Extent& count);
// The same where `all` is the outputs from `begin` on of `outputs`. The part that begins at 0 goes first.
void gather_outputs(Recorder& rec, const Weight& all, uint32_t begin, uint32_t outputs, const BufferView& ids,
                    const Weight& some, const Extent& count);

inline constexpr uint32_t kNoPlace = 0xffffffffu;
inline constexpr float kNoLogit = std::numeric_limits<float>::lowest();  // of an output that is not permitted

// The columns that the rows of a slot may have: live row i belongs to slot live_rows[i] / beam.
struct Permission {
    BufferView live_rows;  // uint per live row
    uint32_t beam = 1;
    BufferView bits;       // uint [slots][ceil(cols / 32)], column c is bit c % 32 of word c / 32
};

// y[r][c] = x[r][places[c]], or kNoLogit where places[c] is kNoPlace or the row's slot does not permit c, and the records
// of y, with the bits that record_columns gives them.
struct SpreadColumnsArgs {
    Tensor x;  // [rows, permitted columns] f32
    BufferView places;  // uint [y.cols], ascending where there is one
    Tensor y;  // [rows, cols] f32
    BufferView records;  // of y (ops/topk.h)
    std::optional<Permission> permission;  // else every row may have every column
    // Otherwise tiles of 64 columns of which a row may have none stay as they are; topk does not read these.
    bool whole = true;
    Extent rows;
};
void spread_columns(Recorder& rec, const SpreadColumnsArgs& args);

}  // namespace dragoman::ops
