// SPDX-License-Identifier: Apache-2.0
#include "text/normalize.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/stringpiece.h>

#include <algorithm>

#include "base/error.h"
#include "text/characters.h"

namespace dragoman::text {
namespace {

bool is_plain(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; });
}

// The white space that begins at byte `at` as plain spaces, and `at` moved behind it. A stretch with a line break is
// one space, or nothing between two characters of scripts without spaces.
std::string plain_spaces(std::string_view text, std::size_t& at, int32_t before) {
    std::string spaces;
    bool breaks = false;
    int32_t after = -1;
    for (std::size_t next = at; next < text.size(); at = next) {
        after = next_character(text, next);
        if (!is_blank(after)) break;
        if (is_space(after)) spaces += ' ';
        breaks = breaks || is_line_break(after);
    }
    if (!breaks) return spaces;
    return is_unspaced(before) && is_unspaced(character_behind(text, at)) ? "" : " ";
}

std::string to_nfc(std::string text) {
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2* nfc = icu::Normalizer2::getNFCInstance(status);
    if (U_SUCCESS(status) && nfc->isNormalizedUTF8(text, status)) return text;
    std::string result;
    icu::StringByteSink<std::string> sink(&result);
    if (U_SUCCESS(status)) nfc->normalizeUTF8(0, text, sink, nullptr, status);
    if (U_FAILURE(status)) fail(Status::internal, "Unicode normalisation: {}", u_errorName(status));
    return result;
}

}  // namespace

std::string normalize(std::string_view text) {
    if (is_plain(text)) return std::string(text);
    std::string clean;
    clean.reserve(text.size());
    int32_t before = -1;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t next = at;
        const int32_t c = next_character(text, next);
        if (is_space(c)) {
            clean += plain_spaces(text, at, before);
        } else {
            if (!is_invisible(c)) clean += text.substr(at, next - at);
            at = next;
        }
        if (!is_closing(c)) before = c;
    }
    return to_nfc(std::move(clean));
}

}  // namespace dragoman::text
