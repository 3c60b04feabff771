// SPDX-License-Identifier: Apache-2.0
#include "formats/base64.h"

#include <cstdint>

namespace dragoman::formats {

std::optional<std::string> from_base64(std::string_view text) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (text.size() % 4 != 0) return std::nullopt;
    for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3 + 3);
    uint32_t bits = 0;
    int waiting = 0;
    for (const char c : text) {
        const auto value = digits.find(c);
        if (value == std::string_view::npos) return std::nullopt;
        bits = bits << 6 | uint32_t(value);
        waiting += 6;
        if (waiting < 8) continue;
        waiting -= 8;
        bytes += static_cast<char>(bits >> waiting & 0xff);
    }
    return bytes;
}

}  // namespace dragoman::formats
