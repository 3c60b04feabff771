// SPDX-License-Identifier: Apache-2.0
#include "decode/range_allocator.h"

#include <iterator>

#include "base/error.h"

namespace dragoman::decode {

RangeAllocator::RangeAllocator(uint32_t size, uint32_t alignment) : size_(size), alignment_(alignment) {
    if (size > 0) free_.emplace(0, size);
}

std::optional<uint32_t> RangeAllocator::allocate(uint32_t length) {
    DRAGOMAN_ASSERT(length > 0);
    for (auto at = free_.begin(); at != free_.end(); ++at) {
        const auto [begin, room] = *at;
        const uint32_t skipped = (alignment_ - begin % alignment_) % alignment_;
        if (room < skipped || room - skipped < length) continue;
        const uint32_t place = begin + skipped, rest = room - skipped - length;
        if (skipped > 0) at->second = skipped;
        else free_.erase(at);
        if (rest > 0) free_.emplace(place + length, rest);
        return place;
    }
    return std::nullopt;
}

void RangeAllocator::free(uint32_t begin, uint32_t length) {
    if (length == 0) return;
    DRAGOMAN_ASSERT(begin + length <= size_);
    auto after = free_.lower_bound(begin);
    DRAGOMAN_ASSERT(after == free_.end() || after->first >= begin + length);
    if (after != free_.begin()) {
        const auto before = std::prev(after);
        DRAGOMAN_ASSERT(before->first + before->second <= begin);
        if (before->first + before->second == begin) {
            begin = before->first;
            length += before->second;
            free_.erase(before);
        }
    }
    if (after != free_.end() && after->first == begin + length) {
        length += after->second;
        free_.erase(after);
    }
    free_.emplace(begin, length);
}

void RangeAllocator::extend(uint32_t size) {
    DRAGOMAN_ASSERT(size >= size_);
    const uint32_t old = size_;
    size_ = size;
    free(old, size - old);
}

uint32_t RangeAllocator::free_total() const {
    uint32_t total = 0;
    for (const auto& [begin, length] : free_) total += length;
    return total;
}

}  // namespace dragoman::decode
