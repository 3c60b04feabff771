// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <cstdint>

namespace dragoman {
namespace {

// The bytes that may follow a leading byte (Unicode, table 3-7): their number, and the range of the first of them.
struct Following {
    uint8_t count, low, high;
};

constexpr Following kInvalid{0xff, 0, 0};

constexpr Following following(uint8_t lead) {
    if (lead < 0x80) return {0, 0, 0};
    if (lead < 0xc2) return kInvalid;
    if (lead < 0xe0) return {1, 0x80, 0xbf};
    if (lead == 0xe0) return {2, 0xa0, 0xbf};
    if (lead == 0xed) return {2, 0x80, 0x9f};
    if (lead < 0xf0) return {2, 0x80, 0xbf};
    if (lead == 0xf0) return {3, 0x90, 0xbf};
    if (lead < 0xf4) return {3, 0x80, 0xbf};
    if (lead == 0xf4) return {3, 0x80, 0x8f};
    return kInvalid;
}

}  // namespace

std::optional<std::size_t> first_invalid_utf8(std::string_view text) noexcept {
    std::size_t at = 0;
    while (at < text.size()) {
        const Following rule = following(static_cast<uint8_t>(text[at]));
        if (rule.count == kInvalid.count || rule.count >= text.size() - at) return at;
        for (std::size_t i = 1; i <= rule.count; ++i) {
            const auto byte = static_cast<uint8_t>(text[at + i]);
            const uint8_t low = i == 1 ? rule.low : 0x80;
            const uint8_t high = i == 1 ? rule.high : 0xbf;
            if (byte < low || byte > high) return at;
        }
        at += 1 + rule.count;
    }
    return std::nullopt;
}

}  // namespace dragoman
