// SPDX-License-Identifier: Apache-2.0
// y = scale * table[id] + position_table[position], one workgroup per row. The table has the output projection's
// layout, so that tied weights are one buffer. A large table is in several; a row is of the one that has its id.
#version 460
#pragma variants(T W = float float, float float16_t, float16_t float16_t, float int, float16_t int)
#pragma variants(T W = float q8, float16_t q8, float q4, float16_t q4)
#include "types.glsl"
#include "panel.glsl"
#include "shared/embed.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint INVOCATIONS = 64;

layout(push_constant) uniform Push { EmbedPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer Ids { uint ids[]; };
layout(binding = 2) readonly buffer RowsMap { uint rows_map[]; };
layout(binding = 3) readonly buffer Positions { uint positions[]; };
layout(binding = 4) readonly buffer Table { PANEL_WORD table[]; };
layout(binding = 5) readonly buffer PositionTable { float position_table[]; };
layout(binding = 6) writeonly buffer Out { T y[]; };
layout(binding = 7) readonly buffer Units { float units[]; };  // of whole numbers

void main() {
    const uint row = gl_WorkGroupID.x, rows = count;
    const uint source = (pc.flags & kEmbedRowsMap) != 0 ? rows_map[row] : row;
    if (row >= rows) return;
    const bool positioned = (pc.flags & kEmbedPositionTable) != 0;
    const bool zero_at_start = (pc.flags & kEmbedZeroAtStart) != 0;
    const uint position = positioned || zero_at_start ? positions[source] : 0;
    uint id = min(ids[source], pc.vocabulary - 1);
    if (id < pc.begin || id >= pc.end) return;
    id -= pc.begin;
    const uint position_row = min(position, pc.max_positions - 1) * pc.cols;
    const float scale = zero_at_start && position == 0 ? 0.0 : pc.scale;

    const float unit = (pc.flags & kEmbedUnits) != 0 ? units[id] : 1.0;
    for (uint c = gl_LocalInvocationIndex; c < pc.cols; c += INVOCATIONS) {
#if W_IS_INTEGER
        const float value = panel_int8(table[panel_int8_index(id, c, pc.cols)], c) * unit;
#elif W_HAS_BLOCKS
        const uint at = id / kPanel * panel_rows(pc.cols) * kPanel + id % kPanel;
        const float value = block_value(table[at + block_row(c) * kPanel], c, table[at + numbers_row(c) * kPanel]);
#else
        const float value = panel_value(table[panel_index(id, c, pc.cols) / PANEL_WORD_COLUMNS], id);
#endif
        const float offset = positioned ? position_table[position_row + c] : 0.0;
        y[row * pc.y_stride + c] = T(fma(value, scale, offset));
    }
}
