// SPDX-License-Identifier: Apache-2.0
// What readers of texts share: texts reach them as UTF-8 only.
#pragma once

#include <string>
#include <string_view>

#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "text/characters.h"

namespace dragoman::test {

// The bytes as a text: what is no UTF-8 becomes question marks.
inline std::string text_of(const uint8_t* data, std::size_t size) {
    std::string text(reinterpret_cast<const char*>(data), size);
    for (std::size_t from = 0;;) {
        const auto bad = first_invalid_utf8(std::string_view(text).substr(from));
        if (!bad) return text;
        text[from += *bad] = '?';
    }
}

// Between characters of the text, and not backwards.
inline void check_range(std::string_view text, text::Range range) {
    DRAGOMAN_ASSERT(range.begin <= range.end && range.end <= text.size());
    DRAGOMAN_ASSERT(!first_invalid_utf8(text.substr(range.begin, range.end - range.begin)));
    DRAGOMAN_ASSERT(!first_invalid_utf8(text.substr(0, range.begin)));
}

// In order, without overlaps.
inline void check_ranges(std::string_view text, std::span<const text::Range> ranges) {
    std::size_t last = 0;
    for (const text::Range range : ranges) {
        check_range(text, range);
        DRAGOMAN_ASSERT(range.begin >= last && range.begin < range.end);
        last = range.end;
    }
}

}  // namespace dragoman::test
