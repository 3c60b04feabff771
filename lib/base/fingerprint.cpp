// SPDX-License-Identifier: Apache-2.0
#include "base/fingerprint.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace dragoman {
namespace {

constexpr std::size_t kBlock = 32;

// Every bit of the word reaches every bit of the state: the product carries bits up, the rotation back down.
uint64_t mixed(uint64_t state, uint64_t word) {
    return std::rotl(state + word * 0xc2b2ae3d27d4eb4full, 31) * 0x9e3779b185ebca87ull;
}

}  // namespace

void Fingerprint::mix(uint64_t word) {
    low_ = mixed(low_, word);
    high_ = mixed(std::rotl(high_, 7) ^ 0x85ebca6bc2b2ae35ull, word * 0xff51afd7ed558ccdull);
}

void Fingerprint::add(std::span<const std::byte> bytes) {
    const auto word_at = [&](std::size_t at) {
        uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, std::min<std::size_t>(8, bytes.size() - at));
        return word;
    };
    std::size_t at = 0;
    if (bytes.size() >= kBlock) {  // four chains that do not wait for each other
        std::array<uint64_t, 4> lanes{0x1b873593cc9e2d51ull, 0x85ebca6bc2b2ae35ull, 0x27d4eb2f165667c5ull,
                                      0x2545f4914f6cdd1dull};
        for (; at + kBlock <= bytes.size(); at += kBlock)
            for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i] = mixed(lanes[i], word_at(at + 8 * i));
        for (const uint64_t lane : lanes) mix(lane);
    }
    for (; at < bytes.size(); at += 8) mix(word_at(at));
    mix(bytes.size());
}

}  // namespace dragoman
