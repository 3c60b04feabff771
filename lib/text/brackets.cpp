// SPDX-License-Identifier: Apache-2.0
#include "text/brackets.h"

#include <unicode/uchar.h>

#include <algorithm>

namespace dragoman::text {
namespace {

constexpr int32_t kFirstForeign = 0x2045;  // those before it are quotation marks

bool is_spaced_word(int32_t c) { return (is_letter(c) || is_digit(c)) && !is_unspaced(c); }
bool is_quote(int32_t opening) { return opening >= 0x3008 && opening <= 0x300f; }

bool has_words(std::string_view inside) {
    const bool blank = inside.find(' ') != inside.npos && inside.front() != ' ' && inside.back() != ' ';
    return blank && inside.find_first_of(",=;") == inside.npos;  // the arguments of a function
}

// Whether all letters are of scripts without blanks or, between Latin words, of another alphabet.
bool is_of_other_script(std::string_view inside, int32_t beside) {
    bool found = false;
    for (std::size_t at = 0; at < inside.size();) {
        const int32_t c = next_character(inside, at);
        if (!is_letter(c)) continue;
        if (!is_unspaced(c) && (c < 0x370 || beside >= 0x370)) return false;
        found = true;
    }
    return found;
}

struct Open {
    Range range;
    int32_t c = 0, closing = 0;
};

}  // namespace

int32_t foreign_closing(int32_t opening) {
    if (opening < kFirstForeign || (U_GET_GC_MASK(opening) & U_GC_PS_MASK) == 0) return -1;
    const int32_t closing = u_getBidiPairedBracket(opening);
    return closing == opening ? -1 : closing;
}

std::vector<GluedBracket> glued_brackets(std::string_view text) {
    constexpr std::size_t kMostOpen = 16;
    std::vector<GluedBracket> found;
    std::vector<Open> open;
    for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
        const int32_t c = next_character(text, next);
        const int32_t closing = c == '(' ? ')' : foreign_closing(c);
        if (closing >= 0 && open.size() < kMostOpen) open.push_back({{at, next}, c, closing});
        const auto own = std::find_if(open.rbegin(), open.rend(), [&](const Open& one) { return one.closing == c; });
        if (own == open.rend()) continue;
        const Open opening = *own;
        open.erase(std::prev(own.base()), open.end());
        std::size_t before = opening.range.begin, after = next;
        const int32_t behind = next_character(text, after);
        const bool left = is_spaced_word(previous_character(text, before)), right = is_spaced_word(behind);
        const std::string_view inside = text.substr(opening.range.end, at - opening.range.end);
        const bool foreign = right && is_of_other_script(inside, behind);
        if (!(left || right) || inside.empty() || (c == ')' && !has_words(inside) && !foreign)) continue;
        const bool quote = is_quote(opening.c);
        const std::string_view first = quote ? "\"" : "(", last = quote ? "\"" : ")";
        found.push_back({opening.range, std::string(left ? " " : "").append(first)});
        found.push_back({{at, next}, std::string(last) + (right ? " " : "")});
    }
    return found;
}

}  // namespace dragoman::text
