// SPDX-License-Identifier: Apache-2.0
#include "text/no_break_blanks.h"

#include <algorithm>
#include <string>
#include <utility>

namespace dragoman::text {
namespace {

constexpr int32_t kNoBreakBlank = 0xA0, kNarrowBlank = 0x202F;  // blanks at which no line may end
constexpr std::size_t kMostNoBreakBlanks = 64;               // of a sentence
constexpr std::size_t kLongestBeside = 64;                   // bytes of a word or number

bool is_plain_digit(char c) { return c >= '0' && c <= '9'; }
bool is_in_number(int32_t c) {
    return c == '.' || c == ',' || c == '\'' || c == kNoBreakBlank || c == kNarrowBlank || c == 0x2009;
}

// The figures of the number that ends at `end`, whatever is between them; empty: none does.
std::string digits_left_of(std::string_view text, std::size_t end) {
    std::string figures;
    for (std::size_t at = end; at > 0 && end - at < kLongestBeside;) {
        std::size_t before = at;
        const int32_t c = previous_character(text, before);
        const bool sign = !figures.empty() && is_in_number(c) && before > 0 && is_plain_digit(text[before - 1]);
        if (c >= '0' && c <= '9') figures += char(c);
        else if (!sign) break;
        at = before;
    }
    std::ranges::reverse(figures);
    return figures;
}

std::string digits_right_of(std::string_view text, std::size_t begin) {
    std::string figures;
    for (std::size_t at = begin; at < text.size() && at - begin < kLongestBeside;) {
        const int32_t c = next_character(text, at);
        const bool sign = !figures.empty() && is_in_number(c) && at < text.size() && is_plain_digit(text[at]);
        if (c >= '0' && c <= '9') figures += char(c);
        else if (!sign) break;
    }
    return figures;
}

std::string_view token_left_of(std::string_view text, std::size_t end) {
    std::size_t begin = end;
    for (std::size_t at = end; at > 0 && end - at < kLongestBeside && !is_space(previous_character(text, at));)
        begin = at;
    return part(text, {begin, end});
}

std::string_view token_right_of(std::string_view text, std::size_t begin) {
    std::size_t end = begin;
    for (std::size_t at = begin;
         at < text.size() && at - begin < kLongestBeside && !is_space(next_character(text, at));)
        end = at;
    return part(text, {begin, end});
}

bool is_sign_of_currency(std::string_view word) {
    std::size_t at = 0;
    const int32_t c = word.empty() ? 0 : next_character(word, at);
    return at == word.size() && (c == '$' || (c >= 0xA2 && c <= 0xA5) || (c >= 0x20A0 && c <= 0x20CF));
}

// What a blank stands between.
struct BesideBlank {
    std::string number_before, number_behind;
    std::string_view before, behind;

    BesideBlank(std::string_view text, Range blank)
        : number_before(digits_left_of(text, blank.begin)), number_behind(digits_right_of(text, blank.end)),
          before(token_left_of(text, blank.begin)), behind(token_right_of(text, blank.end)) {}

    // Whether a blank of the translation, `other`, stands for this one.
    bool is_like(const BesideBlank& other) const {
        if (is_sign_of_currency(before) && !number_behind.empty() && other.number_before == number_behind)
            return other.behind.starts_with(before);  // "$ 5" that is "5 $"
        if (!number_before.empty() && number_behind.empty())
            return number_before == other.number_before && other.number_behind.empty();
        if (number_before.empty() && !number_behind.empty())
            return number_behind == other.number_behind && other.number_before.empty() &&
                   is_sign_of_currency(before) == is_sign_of_currency(other.before);
        return number_before.empty() && before == other.before && behind == other.behind;
    }
    bool is_apart() const { return before.empty() || behind.empty(); }  // at an end, or beside another blank
    bool is_between_words() const { return number_before.empty() && number_behind.empty(); }
};

}  // namespace

std::vector<Edit> no_break_blanks(std::string_view source, std::string_view target) {
    std::vector<BesideBlank> wanted;
    std::size_t blanks = 0, others = 0;
    for (std::size_t at = 0; at < source.size() && wanted.size() < kMostNoBreakBlanks;) {
        const std::size_t begin = at;
        const int32_t c = next_character(source, at);
        others += c == ' ';
        if (c != kNoBreakBlank && c != kNarrowBlank) continue;
        ++blanks;
        BesideBlank beside(source, {begin, at});
        if (!beside.is_apart()) wanted.push_back(std::move(beside));
    }
    // Texts that are laid out with them say nothing by one.
    constexpr std::size_t kFewest = 3;
    if (blanks >= kFewest && blanks > others && std::ranges::any_of(wanted, &BesideBlank::is_between_words)) return {};
    std::vector<Edit> edits;
    for (std::size_t at = target.find(' '); at != target.npos && !wanted.empty(); at = target.find(' ', at + 1)) {
        const BesideBlank beside(target, {at, at + 1});
        const auto found = std::ranges::find_if(wanted, [&](const BesideBlank& one) { return one.is_like(beside); });
        if (found == wanted.end() || beside.is_apart()) continue;
        edits.push_back({{at, at + 1}, "\u00a0"});
        wanted.erase(found);
    }
    return edits;
}

}  // namespace dragoman::text
