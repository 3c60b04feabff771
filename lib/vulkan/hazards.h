// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dragoman::vulkan {

// A byte range of one buffer, named by any pointer that is unique to it.
struct BufferRange {
    const void* buffer;
    uint64_t begin, end;
};

// Tracks what was read and written since the last barrier, and so when the next one is due.
class Hazards {
public:
    // Whether a barrier must come before a command with these reads and writes (or may as well, after very many
    // ranges); earlier commands are then forgotten. A command's own reads and writes may overlap.
    bool barrier_before(std::span<const BufferRange> reads, std::span<const BufferRange> writes);

private:
    std::vector<BufferRange> reads_, writes_;
};

}  // namespace dragoman::vulkan
