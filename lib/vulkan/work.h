// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "vulkan/buffer.h"

namespace dragoman::vulkan {

// The work of dispatches, as their host functions count it.
struct Work {
    double flops = 0;  // a multiplication and an addition count as two
    double bytes = 0;  // to and from memory; a second read comes from a cache
    Work& operator+=(const Work& other) {
        flops += other.flops;
        bytes += other.bytes;
        return *this;
    }
};

// The words of a buffer just before a list runs: only the device knows how many rows are live.
using ReadWords = std::function<std::span<const uint32_t>(const BufferView&)>;
// Called for every run of a list while profiling. Reads only buffers that the list uses.
using CountWork = std::function<Work(const ReadWords&)>;

}  // namespace dragoman::vulkan
