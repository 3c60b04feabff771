// SPDX-License-Identifier: Apache-2.0
#include "text/formulas.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>

namespace dragoman::text {
namespace {

constexpr std::size_t kLongestBracket = 48;  // bytes
constexpr std::size_t kShort = 3;            // letters of what may be a unit or a variable

bool is_one_of(int32_t c, std::u32string_view set) { return c >= 0 && set.find(char32_t(c)) != set.npos; }

// Figures, raised and lowered ones, and fractions.
bool is_numeric(int32_t c) { return c >= 0 && u_getIntPropertyValue(c, UCHAR_NUMERIC_TYPE) != U_NT_NONE; }

struct Operand {
    std::size_t end = 0;
    std::size_t letters = 0;  // the longest run of them
    bool begins_numeric = false, ends_numeric = false;
    bool bracket = false;
    bool is_short() const { return bracket || letters <= kShort; }
};

std::size_t bracket_end(std::string_view text, std::size_t at) {
    std::size_t depth = 0;
    for (std::size_t end = at; end < std::min(text.size(), at + kLongestBracket); ++end) {
        if (text[end] == ' ') return at;
        depth += text[end] == '(';
        if (text[end] == ')' && --depth == 0) return end + 1;
    }
    return at;
}

Operand operand_at(std::string_view text, std::size_t at) {
    Operand operand{.end = at};
    if (at < text.size() && text[at] == '(') {
        operand.end = bracket_end(text, at);
        operand.bracket = operand.begins_numeric = operand.ends_numeric = operand.end > at;
        return operand;
    }
    std::size_t run = 0;
    for (std::size_t next = at; next < text.size(); operand.end = next) {
        const int32_t c = next_character(text, next);
        if (is_unspaced(c)) break;
        const bool numeric = is_numeric(c), first = operand.end == at;
        if (c == '.' || c == ',') {
            std::size_t behind = next;
            if (!operand.ends_numeric || !is_digit(next_character(text, behind))) break;
        } else if (!numeric && !is_letter(c) && !is_one_of(c, U"_\u00b0%\u2032\u207a\u207b\u208a\u208b")) break;
        run = is_letter(c) ? run + 1 : 0;
        operand.letters = std::max(operand.letters, run);
        if (first) operand.begins_numeric = numeric;
        operand.ends_numeric = numeric;
    }
    return operand;
}

bool is_unit(std::string_view word) {
    static constexpr std::array<std::string_view, 26> kUnits{"m", "cm", "mm", "km", "s",  "h",   "min", "g", "kg",
                                                             "N", "kN", "Pa", "W",  "kW", "MW",  "GW",  "A", "mA",
                                                             "V", "J",  "kJ", "K",  "C",  "mol", "rad", "sr"};
    return word.size() == 1 || std::ranges::find(kUnits, word) != kUnits.end();
}

// Whether an operator joins what stands on its sides; `strong`: only formulas have it.
bool joins(std::string_view text, int32_t c, std::size_t begin, const Operand& left, const Operand& right,
           std::size_t right_begin, bool& strong) {
    strong = false;
    if (is_one_of(c, U"=+-*/\u2212\u2013\u00b1")) return left.is_short() && right.is_short();
    const bool letters = !left.ends_numeric && !right.begins_numeric;
    const bool numbers = left.ends_numeric && right.begins_numeric;
    strong = true;
    if (c == '^') return right.is_short();
    if (is_one_of(c, U"\u00d7\u00f7\u2248\u2264\u2265\u2260"))
        return letters || numbers || (left.is_short() && right.is_short());
    if (!is_one_of(c, U"\u00b7\u22c5\u2219")) return false;
    // Catalan and French words have such a dot, too.
    if (letters) return is_unit(text.substr(begin, left.end - begin)) && is_unit(part(text, {right_begin, right.end}));
    return numbers || (left.letters <= 2 && right.letters <= 2);
}

}  // namespace

std::size_t formula_end(std::string_view text, std::size_t at) {
    std::size_t begin = at, peek = at;
    if (is_one_of(next_character(text, peek), U"\u2248\u00b1-\u2212")) begin = peek;
    Operand left = operand_at(text, begin);
    if (left.end == begin) return at;
    std::size_t end = at;
    while (left.end < text.size()) {
        std::size_t next = left.end;
        const int32_t c = next_character(text, next);
        std::size_t right_begin = next;
        if (is_one_of(next_character(text, peek = next), U"+-\u2212")) right_begin = peek;
        const Operand right = operand_at(text, right_begin);
        bool strong = false;
        if (right.end == right_begin || !joins(text, c, begin, left, right, right_begin, strong)) break;
        if (strong || end > at) end = right.end;
        begin = right_begin;
        left = right;
    }
    return end;
}

std::vector<Range> beside_decimals(std::string_view text, Range formula) {
    std::vector<Range> found;
    std::size_t begin = formula.begin;
    const auto is_figure = [&](std::size_t at) { return at < formula.end && text[at] >= '0' && text[at] <= '9'; };
    for (std::size_t at = begin; at < formula.end;) {
        std::size_t end = at;
        bool decimal = false;
        for (; is_figure(end) ||
               (end > at && end < formula.end && (text[end] == '.' || text[end] == ',') && is_figure(end + 1));
             ++end)
            decimal |= !is_figure(end);
        if (decimal) {
            if (at > begin) found.push_back({begin, at});
            begin = end;
        }
        at = std::max(end, at + 1);
    }
    if (begin < formula.end) found.push_back({begin, formula.end});
    return found;
}

}  // namespace dragoman::text
