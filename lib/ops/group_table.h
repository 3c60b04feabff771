// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "ops/tensor.h"
#include "shared/group_table.h"

namespace dragoman::ops {

// Turns live row counts on the device into indirect dispatch arguments. While recording, ops ask for slots;
// record_update() writes all slots' arguments from the counts and must be recorded before their use in each
// replay (slots may still be added after it, until upload()).
class GroupTable {
public:
    // `counts`: one uint, or a range that contains several.
    GroupTable(vulkan::Context& context, const BufferView& counts, uint32_t max_slots = 64);

    // Arguments for (ceil(count / rows_per_group), y, z). Equal requests share a slot.
    Groups slot(const BufferView& count, uint32_t rows_per_group, uint32_t y, uint32_t z);

    void record_update(Recorder& recorder);
    void upload(vulkan::Context& context);  // call it once, after recording and before the first submission

private:
    std::vector<shared::GroupEntry> entries_;
    uint32_t max_slots_;
    BufferView counts_;
    std::shared_ptr<vulkan::Buffer> table_, arguments_;
};

}  // namespace dragoman::ops
