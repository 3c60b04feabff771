// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace dragoman::vulkan {

// lavapipe compiles a kernel again (seconds) where one of its texel buffers is of another kind than before. The kind is
// whether the buffer's size is a power of two, and whether bits 8 to 15 of the bound range are zero: its key takes both
// for properties of an image. All buffers and ranges are therefore made of one kind, and a pipeline is compiled once.
inline constexpr uint64_t kKindBits = 0xff00, kMaxAdded = 256;

// Bytes to bind as texels: more than `bytes` by at most kMaxAdded.
inline uint64_t texel_range(uint64_t bytes) { return bytes & kKindBits ? bytes : bytes + kMaxAdded; }

// Bytes of the buffer that holds `bytes`, a multiple of 16, with room for texel_range() of each part.
inline uint64_t texel_buffer_bytes(uint64_t bytes) {
    const uint64_t with_room = bytes + kMaxAdded;
    return std::has_single_bit(with_room) ? with_room + 16 : with_room;
}

}  // namespace dragoman::vulkan
