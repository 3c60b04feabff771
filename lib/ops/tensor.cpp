// SPDX-License-Identifier: Apache-2.0
#include "ops/tensor.h"

#include "base/error.h"
#include "ops/group_table.h"

namespace dragoman::ops {

Groups groups(const Extent& rows, uint32_t rows_per_group, uint32_t y, uint32_t z) {
    const uint32_t x = (rows.capacity + rows_per_group - 1) / rows_per_group;
    DRAGOMAN_ASSERT(x <= kMaxRows && y <= kMaxRows && z <= kMaxRows);
    return rows.table ? rows.table->slot(rows.count, rows_per_group, y, z) : Groups(x, y, z);
}

bool is_texels(const vulkan::Caps& caps, const BufferView& view) {
    constexpr uint32_t kTexelBytes = 16;
    const uint64_t bytes = bound_bytes(view);
    return bytes % kTexelBytes == 0 && bytes / kTexelBytes <= caps.max_texels;
}

}  // namespace dragoman::ops
