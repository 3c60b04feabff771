// SPDX-License-Identifier: Apache-2.0
#include "text/words.h"

#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>

#include <memory>

namespace dragoman::text {
namespace {

constexpr int32_t kJoiners[]{0x200c, 0x200d};  // inside words of Persian and of India's scripts

bool is_spoken(int32_t c) { return is_letter(c) || (c >= 0 && (U_GET_GC_MASK(c) & U_GC_N_MASK)); }

bool continues(int32_t c) {
    return is_spoken(c) || is_invisible(c) || c == kJoiners[0] || c == kJoiners[1] ||
           (c >= 0 && (U_GET_GC_MASK(c) & U_GC_M_MASK));
}

bool is_apostrophe(int32_t c) { return c == '\'' || c == 0x2019 || c == 0x2bc || c == 0xff07; }
bool is_hyphen(int32_t c) { return c == '-' || c == 0x2010 || c == 0x2011 || c == 0xb7 || c == '_'; }

bool joins(int32_t before, int32_t c, int32_t after) {
    if (is_apostrophe(c) || is_hyphen(c)) return is_spoken(before) && is_spoken(after);
    return (c == '.' || c == ',' || c == ':') && is_digit(before) && is_digit(after);
}

// The end of the word that begins at `at`, of letters of one kind: with spaces between words, or without.
std::size_t run_end(std::string_view text, std::size_t at) {
    std::size_t end = at, next = at;
    int32_t before = next_character(text, next);
    const bool unspaced = is_unspaced(before);
    for (end = next; end < text.size(); end = next) {
        const int32_t c = next_character(text, next);
        std::size_t behind = next;
        const bool within = continues(c) || (!unspaced && joins(before, c, next_character(text, behind)));
        if (!within || (is_spoken(c) && is_unspaced(c) != unspaced)) break;
        if (!is_invisible(c)) before = c;
    }
    return trim(text, {at, end}).end;
}

struct Close {
    void operator()(UBreakIterator* breaks) const { ubrk_close(breaks); }
    void operator()(UText* bytes) const { utext_close(bytes); }
};

// Words of a run in a script without spaces; where ICU has none, each character is one.
void add_unspaced(std::string_view text, Range run, std::vector<Range>& words) {
    const std::string_view within = part(text, run);
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<UText, Close> bytes(utext_openUTF8(nullptr, within.data(), int64_t(within.size()), &status));
    const std::unique_ptr<UBreakIterator, Close> breaks(ubrk_open(UBRK_WORD, "", nullptr, 0, &status));
    if (U_SUCCESS(status)) ubrk_setUText(breaks.get(), bytes.get(), &status);
    const auto word_end = [&](std::size_t begin) {
        if (U_FAILURE(status)) return cluster_end(text, begin);
        const int32_t end = ubrk_following(breaks.get(), int32_t(begin - run.begin));
        return end == UBRK_DONE ? run.end : run.begin + std::size_t(end);
    };
    for (std::size_t begin = run.begin; begin < run.end;) {
        const std::size_t end = word_end(begin);
        words.push_back({begin, end});
        begin = end;
    }
}

std::size_t mark_end(std::string_view text, std::size_t at) {
    const std::size_t size = cluster_end(text, at) - at;
    std::size_t end = at + size;
    while (text.substr(end).starts_with(text.substr(at, size)) && cluster_end(text, end) == end + size) end += size;
    return end;
}

}  // namespace

std::vector<Range> words(std::string_view text) {
    std::vector<Range> words;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        const int32_t c = next_character(text, at);
        if (is_blank(c)) continue;
        at = is_spoken(c) ? run_end(text, begin) : mark_end(text, begin);
        if (is_spoken(c) && is_unspaced(c)) add_unspaced(text, {begin, at}, words);
        else words.push_back({begin, at});
    }
    return words;
}

bool is_spoken(std::string_view word) {
    for (std::size_t at = 0; at < word.size();)
        if (is_spoken(next_character(word, at))) return true;
    return false;
}

}  // namespace dragoman::text
