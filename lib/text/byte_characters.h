// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace dragoman::text {

inline constexpr uint32_t kByteValues = 256;

// The character that stands for a byte in byte-level BPE: printable characters of Latin-1 are themselves, the other
// bytes become U+0100 and the following.
inline int32_t byte_character(uint32_t byte) {
    static const std::array<int32_t, kByteValues> characters = [] {
        std::array<int32_t, kByteValues> all{};
        int32_t next = 0x100;
        for (uint32_t value = 0; value < kByteValues; ++value) {
            const bool printable = (value >= 0x21 && value <= 0x7e) || (value >= 0xa1 && value <= 0xac) ||
                                   value >= 0xae;
            all[value] = printable ? int32_t(value) : next++;
        }
        return all;
    }();
    return characters[byte];
}

}  // namespace dragoman::text
