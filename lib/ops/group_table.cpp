// SPDX-License-Identifier: Apache-2.0
#include "ops/group_table.h"

#include "base/error.h"
#include "ops/kernels.h"
#include "vulkan/context.h"

namespace dragoman::ops {

GroupTable::GroupTable(vulkan::Context& context, const BufferView& counts, uint32_t max_slots)
    : max_slots_(max_slots), counts_(counts), table_(context.buffer(uint64_t(max_slots) * sizeof(shared::GroupEntry),
                                                                    vulkan::BufferUse::device, "group table")),
      arguments_(context.buffer(uint64_t(max_slots) * shared::kGroupArgumentStride * sizeof(uint32_t),
                                vulkan::BufferUse::arguments, "group arguments")) {}

Groups GroupTable::slot(const BufferView& count, uint32_t rows_per_group, uint32_t y, uint32_t z) {
    DRAGOMAN_ASSERT(count.buffer == counts_.buffer && count.offset >= counts_.offset &&
                    count.offset + sizeof(uint32_t) <= counts_.offset + counts_.size_bytes);
    const auto count_at = uint32_t((count.offset - counts_.offset) / sizeof(uint32_t));
    uint64_t index = 0;
    for (; index < entries_.size(); ++index) {
        const shared::GroupEntry& entry = entries_[index];
        if (entry.rows_per_group == rows_per_group && entry.y == y && entry.z == z && entry.count_at == count_at) break;
    }
    if (index == entries_.size()) {
        DRAGOMAN_ASSERT(entries_.size() < max_slots_);
        entries_.push_back({rows_per_group, y, z, count_at});
    }
    constexpr uint64_t kStride = shared::kGroupArgumentStride * sizeof(uint32_t);
    return Groups::from(BufferView(*arguments_, index * kStride, 3 * sizeof(uint32_t)));
}

void GroupTable::record_update(Recorder& recorder) {
    recorder.dispatch(kernels::group_arguments, {}, {counts_, *table_, *arguments_},
                      shared::GroupArgumentsPush{.slots = max_slots_}, {}, Groups((max_slots_ + 63) / 64));
}

void GroupTable::upload(vulkan::Context& context) {
    std::vector<shared::GroupEntry> padded = entries_;
    padded.resize(max_slots_, {0, 0, 0, 0});
    context.upload(*table_, padded.data(), padded.size() * sizeof(padded[0]));
}

}  // namespace dragoman::ops
