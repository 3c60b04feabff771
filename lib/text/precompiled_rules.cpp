// SPDX-License-Identifier: Apache-2.0
#include "text/precompiled_rules.h"

#include <cstdint>
#include <cstring>

#include "base/error.h"

namespace dragoman::text {
namespace {

constexpr std::size_t kUnitBytes = 4;

// A unit of darts-clone's double array.
bool has_leaf(uint32_t unit) { return (unit >> 8 & 1) != 0; }
uint32_t label(uint32_t unit) { return unit & 0x800000ff; }
std::size_t offset(uint32_t unit) { return std::size_t(unit >> 10) << ((unit & 0x200) >> 6); }
std::size_t value(uint32_t unit) { return unit & 0x7fffffff; }

}  // namespace

PrecompiledCharacters::PrecompiledCharacters(std::string rules) : rules_(std::move(rules)) {
    uint32_t bytes = 0;
    if (rules_.size() >= kUnitBytes)
        for (std::size_t i = 0; i < kUnitBytes; ++i) bytes |= uint32_t(static_cast<unsigned char>(rules_[i])) << 8 * i;
    if (bytes == 0 || bytes % kUnitBytes != 0 || bytes > rules_.size() - kUnitBytes)
        fail(Status::bad_model, "tokenizer.json: precompiled_charsmap: expected a size below {}, file has {}",
             rules_.size(), bytes);
    units_ = bytes / kUnitBytes;
    texts_ = kUnitBytes + bytes;
    rules_ += '\0';  // so that every text ends
}

// Past the end there are units that lead nowhere.
uint32_t PrecompiledCharacters::unit(std::size_t at) const {
    uint32_t unit = 0;
    if (at >= units_) return uint32_t(1) << 31;
    for (std::size_t i = 0; i < kUnitBytes; ++i)
        unit |= uint32_t(static_cast<unsigned char>(rules_[kUnitBytes + at * kUnitBytes + i])) << 8 * i;
    return unit;
}

std::optional<std::string_view> PrecompiledCharacters::replacement(std::string_view text) const {
    std::size_t at = offset(unit(0));
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte == 0) break;
        at ^= byte;
        const uint32_t found = unit(at);
        if (label(found) != byte) break;
        at ^= offset(found);
        if (!has_leaf(found)) continue;
        const std::size_t begin = texts_ + value(unit(at));
        if (begin >= rules_.size()) return std::nullopt;
        return std::string_view(rules_.c_str() + begin);
    }
    return std::nullopt;
}

}  // namespace dragoman::text
