// SPDX-License-Identifier: Apache-2.0
#include "base/fingerprint.h"

#include <bit>
#include <cstring>

namespace dragoman {

// Two chains of multiplications, which a processor runs beside each other.
void Fingerprint::mix(uint64_t word) {
    low_ = (low_ ^ word) * 0xff51afd7ed558ccdull;
    low_ ^= low_ >> 32;
    high_ = std::rotl(high_ + word, 29) * 0x9fb21c651e98df25ull;
}

void Fingerprint::add(std::span<const std::byte> bytes) {
    const std::size_t whole = bytes.size() / 8;
    for (std::size_t i = 0; i < whole; ++i) {
        uint64_t word;
        std::memcpy(&word, bytes.data() + 8 * i, 8);
        mix(word);
    }
    uint64_t last = 0;
    if (bytes.size() % 8) std::memcpy(&last, bytes.data() + 8 * whole, bytes.size() % 8);
    mix(last);
    mix(bytes.size());
}

}  // namespace dragoman
