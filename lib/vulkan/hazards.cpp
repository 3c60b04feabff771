// SPDX-License-Identifier: Apache-2.0
#include "vulkan/hazards.h"

namespace dragoman::vulkan {
namespace {

// Beyond this many ranges, looking through them costs more than a barrier.
constexpr size_t kManyRanges = 512;

bool any_overlap(std::span<const BufferRange> earlier, std::span<const BufferRange> now) {
    for (const BufferRange& a : earlier)
        for (const BufferRange& b : now)
            if (a.buffer == b.buffer && a.begin < b.end && b.begin < a.end) return true;
    return false;
}

}  // namespace

bool Hazards::barrier_before(std::span<const BufferRange> reads, std::span<const BufferRange> writes) {
    const bool needed = reads_.size() + writes_.size() > kManyRanges || any_overlap(writes_, reads) ||
                        any_overlap(writes_, writes) || any_overlap(reads_, writes);
    if (needed) {
        reads_.clear();
        writes_.clear();
    }
    reads_.insert(reads_.end(), reads.begin(), reads.end());
    writes_.insert(writes_.end(), writes.begin(), writes.end());
    return needed;
}

}  // namespace dragoman::vulkan
