// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/tensor.h"

namespace dragoman::ops {

struct EmbedArgs {
    BufferView ids;        // uint per source entry
    BufferView rows_map{}; // optional, uint per row: row i reads ids[rows_map[i]] and positions[rows_map[i]]
    BufferView positions;  // uint per source entry (from 0); optional when position_table is empty
    Weight table;          // [V, d], panels; ids >= V read as V - 1; i8 counts as whole numbers
    BufferView units{};       // [n of table] f32, optional, for i8: the value of 1 in each row
    uint32_t begin = 0;       // or a part of it, from this id on: rows of other ids are left alone
    uint32_t vocabulary = 0;  // V of all parts; 0: this one is all
    BufferView position_table{};  // [max_positions, d] f32 row-major, optional; positions are clamped to it
    uint32_t max_positions = 0;
    Tensor y;              // [rows, d]
    float scale = 1.0f;    // on the embedding, not on the position
    bool zero_at_start = false;  // the embedding counts as 0 where the position is 0 (Marian's first step)
    Extent rows;
};

// y = scale * table[id] + position_table[position].
void embed(Recorder& rec, const EmbedArgs& args);

}  // namespace dragoman::ops
