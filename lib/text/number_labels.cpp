// SPDX-License-Identifier: Apache-2.0
#include "text/number_labels.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "text/digit_groups.h"

namespace dragoman::text {
namespace {

std::string in_small(std::string_view word) {
    std::string small;
    for (const char c : word) small += char(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
    return small;
}

Range word_at(std::string_view text, std::size_t at) {
    Range word{at, at};
    for (std::size_t next = at; next < text.size(); word.end = next)
        if (!is_letter(next_character(text, next))) break;
    return word;
}

// Scales, units and what else is counted: "2.5 Million", "1.5 Liter".
bool is_counted(std::string_view word) {
    static constexpr std::string_view kWords[]{
        "thousand",   "million",    "billion",    "trillion",   "hundred",   "dozen",  "percent",   "percentage",
        "liter",      "litre",      "milliliter", "millilitre", "meter",     "metre",  "kilometer", "kilometre",
        "centimeter", "centimetre", "millimeter", "millimetre", "mile",      "foot",   "feet",      "inch",
        "inches",     "yard",       "gram",       "kilogram",   "kilo",      "ton",    "tonne",     "pound",
        "ounce",      "degree",     "celsius",    "fahrenheit", "kelvin",    "dollar", "euro",      "cent",
        "yen",        "franc",      "points",     "star",       "times",     "second", "minute",    "hour",
        "day",        "week",       "month",      "year",       "decade",    "acre",   "hectare",   "gallon",
        "pint",       "cup",        "spoon",      "tablespoon", "teaspoon",  "volt",   "watt",      "kilowatt",
        "megawatt",   "ampere",     "hertz",      "megahertz",  "gigahertz", "byte",   "kilobyte",  "megabyte",
        "gigabyte",   "terabyte",   "megapixel",  "calorie",    "joule",     "am",     "pm",        "mph",
        "newton",     "magnitude",  "bedroom"};
    static constexpr std::string_view kSigns[]{"K",   "M",   "B",   "L",   "V",    "W",    "GB",   "MB", "KB",
                                               "TB",  "GiB", "MiB", "Hz",  "MHz",  "GHz",  "THz",  "MW", "GW",
                                               "EUR", "USD", "GBP", "CHF", "Mbit", "Gbit", "Mbps", "MP", "CAD",
                                               "AUD", "JPY", "SEK", "NOK", "DKK",  "PLN",  "INR",  "CNY"};
    if (std::ranges::find(kSigns, word) != std::end(kSigns)) return true;
    std::string small = in_small(word);
    if (std::ranges::find(kWords, small) != std::end(kWords)) return true;
    if (!small.ends_with('s')) return false;
    small.pop_back();
    return std::ranges::find(kWords, small) != std::end(kWords);
}

bool counts_something(std::string_view text, std::size_t end) {
    std::size_t at = end;
    const int32_t c = next_character(text, at);
    if (c == '-' || is_space(c)) return is_counted(part(text, word_at(text, at)));
    return is_letter(c) && is_counted(part(text, word_at(text, end)));
}

// Whether a number stands at the beginning, and a word with a capital behind it.
bool is_heading(std::string_view text, const Number& number) {
    if (trim(text, {0, number.figures.end}).begin != number.figures.begin) return false;
    std::size_t at = number.figures.end;
    if (at < text.size() && std::string_view(".:)").find(text[at]) != std::string_view::npos) ++at;
    const std::size_t blanks = at;
    for (std::size_t next = at; next < text.size(); at = next) {
        const int32_t c = next_character(text, next);
        if (!is_space(c) && !(at > blanks && is_dash(c)) && !(at > blanks && is_opening(c))) break;
    }
    if (at == blanks) return false;
    const Range word = word_at(text, at);
    return is_upper(next_character(text, at)) && !is_counted(part(text, word));
}

// "Sec.", "Fig." with the stop; the others without "s".
bool is_label_word(std::string_view word) {
    static constexpr std::string_view kWords[]{"section",    "chapter",    "version",     "figure",    "table",
                                               "release",    "paragraph",  "part",        "article",   "rule",
                                               "item",       "step",       "clause",      "appendix",  "appendices",
                                               "subsection", "equation",   "exercise",    "example",   "theorem",
                                               "lemma",      "listing",    "lesson",      "module",    "annex",
                                               "volume",     "definition", "proposition", "corollary", "requirement",
                                               "room",       "build",      "suite",       "revision",  "patch"};
    static constexpr std::string_view kShort[]{"sec.", "sect.", "fig.", "figs.", "ch.",  "chap.",
                                               "eq.",  "eqs.",  "no.",  "nos.",  "tab.", "art.",
                                               "vol.", "ver.",  "v.",   "para.", "app.", "def."};
    std::string small = in_small(word);
    if (std::ranges::find(kShort, small) != std::end(kShort) || std::ranges::find(kWords, small) != std::end(kWords))
        return true;
    if (!small.ends_with('s')) return false;
    small.pop_back();
    return std::ranges::find(kWords, small) != std::end(kWords);
}

// The word that touches a colon in front of a number ("arXiv:2301.12345") names something, unless it is an ordinary one
// ("Price:2.50").
bool follows_key(std::string_view text, const Number& number) {
    std::size_t at = number.figures.begin;
    if (at == 0 || text[at - 1] != ':' || counts_something(text, number.figures.end)) return false;
    std::size_t begin = --at, letters = 0, capitals = 0;
    for (std::size_t next = at; next > 0; begin = next) {
        const int32_t c = previous_character(text, next);
        if (!is_letter(c)) break;
        ++letters;
        capitals += is_upper(c);
    }
    if (letters == 0) return false;
    const bool ordinary = is_upper(next_character(text, begin)) && capitals == 1;
    return !ordinary;
}

bool is_named(std::string_view word) {
    constexpr std::size_t kFewest = 3;  // letters
    std::size_t at = 0;
    bool first = true, capital = false, inner = false;
    for (; at < word.size(); first = false) {
        const bool upper = is_upper(next_character(word, at));
        capital |= upper && first;
        inner |= upper && !first;
    }
    return word.size() >= kFewest && (capital || inner) && !is_currency_code(word);  // "Windows", "iOS", "USB"
}

}  // namespace

Range word_before(std::string_view text, std::size_t number) {
    if (number < 2 || text[number - 1] != ' ') return {number, number};
    Range word{number - 1, number - 1};
    std::size_t at = word.begin;
    if (text[at - 1] == '.') word.begin = --at;
    for (; at > 0; word.begin = at)
        if (!is_letter(previous_character(text, at))) break;
    return word;
}

Number::Label label_of(std::string_view text, const Number& number) {
    if (number.sign >= 0) return Number::Label::none;
    std::size_t before = number.figures.begin, after = number.figures.end;
    const int32_t left = previous_character(text, before), right = next_character(text, after);
    const bool joined = left == '-' || left == '_';
    if (is_letter(left) || (joined && (is_letter(right) || is_letter(previous_character(text, before)))))
        return Number::Label::sure;
    if (left == '/' && is_upper(previous_character(text, before))) return Number::Label::sure;  // "HTTP/1.1"
    if (right == '-' && after < text.size() && is_digit(next_character(text, after))) {
        while (after < text.size() && text[after] >= '0' && text[after] <= '9') ++after;
        if (after + 1 >= text.size() || text[after + 1] < '0' || text[after + 1] > '9')
            return Number::Label::sure;  // 2.5-3.5 is a range
    }
    if (is_heading(text, number) || follows_key(text, number)) return Number::Label::sure;
    const std::size_t bracket = number.figures.begin > 0 && text[number.figures.begin - 1] == '(' ? 1
                                                                                                  : 0;  // "eq. (4.12)"
    if (bracket > 0 && is_label_word(part(text, word_before(text, number.figures.begin - 1))))
        return Number::Label::sure;
    if (text.substr(0, number.figures.begin).ends_with("\xc2\xa7 ")) return Number::Label::sure;  // "\u00a7 240.10"
    const std::string_view word = part(text, word_before(text, number.figures.begin));
    if (counts_something(text, number.figures.end)) return Number::Label::none;  // "in Germany 3.5 million"
    if (is_label_word(word)) return Number::Label::sure;
    return is_named(word) && !word.ends_with('.') ? Number::Label::likely : Number::Label::none;
}

void continue_labels(std::string_view text, std::vector<Number>& found) {
    static constexpr std::string_view kGaps[]{", ",        " and ", " or ", ", and ",       ", or ", " to ",
                                              " through ", " & ",   "/",    "\xe2\x80\x93", "-"};
    for (std::size_t i = 1; i < found.size(); ++i) {
        const Number& before = found[i - 1];
        Number& number = found[i];
        const std::size_t end = before.range.end, begin = number.range.begin;
        if (before.label == Number::Label::none || number.label != Number::Label::none || end > begin) continue;
        if (number.kind != Number::Kind::value || number.sign >= 0 || number.value.find('.') == std::string::npos)
            continue;
        if (std::ranges::find(kGaps, text.substr(end, begin - end)) == std::end(kGaps)) continue;
        if (counts_something(text, number.figures.end)) continue;
        number.label = before.label;
        number.label_begin = before.label_begin > 0 ? before.label_begin : before.figures.begin;
    }
}

}  // namespace dragoman::text
