// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace dragoman::decode {

// Hands out ranges of 0 .. size - 1 and takes them back, in parts if need be.
class RangeAllocator {
public:
    // Ranges begin at multiples of `alignment`.
    explicit RangeAllocator(uint32_t size = 0, uint32_t alignment = 1);

    std::optional<uint32_t> allocate(uint32_t length);  // The lowest place with room; length > 0.
    void free(uint32_t begin, uint32_t length);
    void extend(uint32_t size);
    uint32_t size() const { return size_; }
    uint32_t free_total() const;
    bool all_free() const { return free_total() == size_; }

private:
    std::map<uint32_t, uint32_t> free_;  // length by begin; neighbours are joined
    uint32_t size_, alignment_;
};

}  // namespace dragoman::decode
