// SPDX-License-Identifier: Apache-2.0
#include "text/numbers.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "text/digit_groups.h"
#include "text/formulas.h"
#include "text/hour_mark.h"
#include "text/kept.h"
#include "text/number_labels.h"
#include "text/pair_times.h"
#include "text/roman_numerals.h"
#include "text/shared_hour_marks.h"
#include "text/spoken_times.h"

namespace dragoman::text {
namespace {

bool is_thin_space(int32_t c) { return c == 0xa0 || c == 0x2009 || c == 0x202f; }
bool is_thousands_apostrophe(int32_t c) { return c == '\'' || c == 0x2019; }

bool is_separator(int32_t c) {
    return c == '.' || c == ',' || c == ':' || is_thousands_apostrophe(c) || is_thin_space(c);
}

bool is_sign(int32_t c) {
    return c == '%' || c == 0xb0 || c == 0x2030 || (c >= 0 && u_charType(c) == U_CURRENCY_SYMBOL);
}

// The figures and what separates them.
struct Figures {
    std::vector<std::string> groups{};
    std::vector<int32_t> separators{};
    std::size_t end = 0;
};

// With plain spaces only where all that follows has three figures.
bool continues_behind_space(std::string_view text, std::size_t at) {
    std::size_t figures = 0;
    while (at + figures < text.size() && text[at + figures] >= '0' && text[at + figures] <= '9') ++figures;
    if (figures != 3) return false;
    std::size_t end = at + figures;
    return end >= text.size() || !is_letter(next_character(text, end));
}

Figures figures_at(std::string_view text, std::size_t at) {
    Figures found{.groups = {""}, .separators = {}, .end = at};
    const auto is_thousands = [&] {
        return found.groups.front().size() <= 3 && found.groups.front() != "0" &&
               std::ranges::all_of(found.separators, [](int32_t c) { return c == ' '; });
    };
    for (std::size_t next = at; next < text.size();) {
        const int32_t c = next_character(text, next);
        if (is_digit(c)) {
            found.groups.back() += char('0' + u_charDigitValue(c));
            found.end = next;
            continue;
        }
        std::size_t behind = next;
        if (next >= text.size() || !is_digit(next_character(text, behind))) break;
        if (c == ' ' ? !is_thousands() || !continues_behind_space(text, next) : !is_separator(c)) break;
        const bool decimal = found.separators.size() == 1 && (found.separators[0] == '.' || found.separators[0] == ',');
        if (c == ':' && decimal) break;  // "2.5:1"
        found.separators.push_back(c);
        found.groups.emplace_back();
    }
    return found;
}

bool is_group_mark(int32_t c, int32_t group) {
    return c == ' ' || is_thin_space(c) || is_thousands_apostrophe(c) || (group >= 0 && c == group);
}

// What the groups in front of a decimal mark have: three figures, or two in India until the last one.
bool are_groups(std::span<const std::string> groups) {
    if (groups.size() < 2 || groups.front().empty() || groups.front().size() > 3) return false;
    const auto sizes = [&](std::size_t between) {
        return groups.back().size() == 3 && groups.front().size() <= between &&
               std::all_of(groups.begin() + 1, groups.end() - 1,
                           [&](const std::string& group) { return group.size() == between; });
    };
    return sizes(3) || sizes(2);
}

// Reads figures as one number with this decimal mark, if they can be one.
bool read_value(const Figures& figures, int32_t decimal, int32_t group, Number& number) {
    const auto& [groups, separators, end] = figures;
    if (std::ranges::find(separators, ':') != separators.end()) return false;
    std::size_t whole = groups.size();  // groups in front of the decimal mark
    if (!separators.empty() && separators.back() == decimal && decimal != group) --whole;
    const auto marks = std::span(separators).first(whole - 1);
    if (std::ranges::any_of(marks, [&](int32_t c) { return c != marks.front() || !is_group_mark(c, group); }))
        return false;
    if (whole > 1 && !are_groups(std::span(groups).first(whole))) return false;
    number.value.clear();
    for (std::size_t i = 0; i < whole; ++i) number.value += groups[i];
    number.value.erase(0, std::min(number.value.find_first_not_of('0'), number.value.size() - 1));
    if (whole < groups.size()) {
        std::string fraction = groups.back();
        while (fraction.ends_with('0')) fraction.pop_back();
        if (!fraction.empty()) number.value += "." + fraction;
    }
    number.grouped = whole > 1;
    number.spaced = whole > 1 && marks.front() == ' ';
    return true;
}

// The first number of a ratio whose second one has marks of its own: "1:25,000", "1:2.5". Figures with two in front of a
// decimal mark may be minutes and seconds, and a colon behind them begins the next score: "1:23.45", "3:1,2:0". Where
// `expected`, they are none of these, and the marks may be those of the other notation.
bool cut_ratio(std::string_view text, std::size_t at, const NumberNotation& notation, bool expected, Figures& figures) {
    const auto& separators = figures.separators;
    if (separators.size() < 2 || separators.front() != ':' || !notation.known()) return false;
    const auto next = std::find(separators.begin() + 1, separators.end(), ':');
    const Figures second{.groups = {figures.groups.begin() + 1,
                                    figures.groups.begin() + (next - separators.begin()) + 1},
                         .separators = {separators.begin() + 1, next},
                         .end = figures.end};
    const std::string& whole = second.groups.front();
    if (second.separators.empty() || (whole != "0" && whole.starts_with('0'))) return false;
    const int32_t decimal = first_character(notation.decimal), group = first_character(notation.group);
    Number number;
    const bool own = read_value(second, decimal, group, number);
    const bool clear = own && (number.grouped || (whole.size() != 2 && next == separators.end()));
    const bool foreign = expected && (read_value(second, '.', ',', number) || read_value(second, ',', '.', number));
    if (!clear && !foreign) return false;
    figures = {.groups = {figures.groups.front()}, .separators = {}, .end = text.find(':', at)};
    return true;
}

void read(const Figures& figures, const NumberNotation& notation, Number& number) {
    const int32_t decimal = first_character(notation.decimal), group = first_character(notation.group);
    if (figures.separators.empty() ? read_value(figures, -1, -1, number)
                                   : notation.known() && read_value(figures, decimal, group, number))
        return;
    if (notation.known())  // then in another notation
        for (const auto& [point, mark] : std::array<std::pair<int32_t, int32_t>, 2>{{{'.', ','}, {',', '.'}}})
            if (point != decimal && read_value(figures, point, mark, number)) {
                // Spaces and apostrophes separate thousands everywhere, so the mark behind them is clear.
                number.foreign = !number.grouped ||
                                 !(figures.separators.front() == ' ' || is_thin_space(figures.separators.front()) ||
                                   is_thousands_apostrophe(figures.separators.front()));
                return;
            }
    number.kind = Number::Kind::sequence;
    number.value.clear();
}

// The sign may be separated by one blank.
void add_sign(std::string_view text, Number& number) {
    std::size_t at = number.range.begin;
    int32_t c = previous_character(text, at);
    if (c == ' ' || c == 0xa0) c = previous_character(text, at);
    if (is_sign(c)) {
        number.range.begin = at;
        number.sign = c;
        return;
    }
    at = number.range.end;
    c = next_character(text, at);
    if (c == ' ' || c == 0xa0) c = next_character(text, at);
    if (!is_sign(c)) return;
    number.range.end = at;
    number.sign = c;
}

// The mark of a decimal without a whole number: ".5". Its place, or `at`.
std::size_t leading_mark(std::string_view text, const Figures& figures, std::size_t at) {
    std::size_t mark = at;
    const int32_t c = previous_character(text, mark);
    if ((c != '.' && c != ',') || !figures.separators.empty()) return at;
    std::size_t before = mark, after = figures.end;
    const int32_t left = previous_character(text, before);
    const bool begins = left < 0 || is_space(left) || is_opening(left) || is_sign(left) || is_dash(left) ||
                        std::string_view("(=<>~+/").find(char(left < 0x80 ? left : 'x')) != std::string_view::npos;
    return begins && !is_letter(next_character(text, after)) ? mark : at;
}

bool is_minus(int32_t c) { return c == '-' || c == 0x2212 || c == 0x2013; }

// A minus is one only where nothing stands in front of it.
void add_minus(std::string_view text, Number& number) {
    std::size_t at = number.figures.begin;
    for (const std::string_view word : {"minus ", "Minus "})
        if (text.substr(0, at).ends_with(word)) {
            number.value.insert(0, 1, '-');
            return;
        }
    if (!is_minus(previous_character(text, at))) return;
    std::size_t before = at;
    const int32_t c = previous_character(text, before);
    if (c >= 0 && !is_blank(c) && c != '(' && !is_sign(c)) return;
    std::size_t further = before;
    if (is_space(c) && is_digit(previous_character(text, further))) return;  // 3 -5 is a range
    number.figures.begin = at;
    number.range.begin = std::min(number.range.begin, at);
    number.value.insert(0, 1, '-');
}

void read_time(std::string_view text, const Figures& figures, const NumberNotation& notation, Number& number) {
    const auto& [groups, separators, end] = figures;
    if (groups.size() > 2 || groups.front().size() > 2 || number.sign >= 0) return;
    const bool minutes = groups.size() == 2;
    if (minutes && ((separators.front() != ':' && separators.front() != '.') || groups.back().size() != 2)) return;
    const int hour = std::atoi(groups.front().c_str()), minute = minutes ? std::atoi(groups.back().c_str()) : 0;
    if (hour > 24 || minute > 59) return;
    HourMark mark = hour_mark(text, end, notation.language.starts_with("de"));
    if (hour == 12 && minute == 0 && !mark.hour) mark = noon_mark(text, end);
    if (mark.night) mark.late = hour >= 6 && hour < 12;  // 12 at night is midnight
    const bool clock = minutes && separators.front() == ':' && groups.front().size() <= 2;
    if (!mark.hour && !clock) return;
    number.kind = Number::Kind::time;
    number.minutes = hour * 60 + minute;
    if (mark.known && hour <= 12) number.minutes = (hour % 12 + (mark.late ? 12 : 0)) * 60 + minute;
    number.minutes %= 24 * 60;
    number.whole_hour = !minutes;
    number.half_known = mark.known;
    number.foreign = mark.broken || (mark.known && (hour > 12 || (hour == 0 && !notation.am.empty()))) ||
                     (mark.english && !notation.hour_word.empty()) ||
                     ((mark.german || (mark.english && !mark.known && hour > 12)) && !notation.am.empty());
    number.range.end = std::max(number.range.end, mark.end);
}

// Takes the place of the numbers in it, unless it is part of a name.
void put_in(Number number, std::span<const Range> names, std::vector<Number>& found) {
    const auto touches = [&](Range range) { return overlap(range, number.range) > 0; };
    if (std::ranges::any_of(names, touches)) return;
    std::erase_if(found, [&](const Number& other) { return touches(other.range); });
    const auto later =
        std::ranges::find_if(found, [&](const Number& other) { return other.range.begin > number.range.begin; });
    found.insert(later, std::move(number));
}

void add_words(std::string_view text, const NumberNotation& notation, std::span<const Range> names,
               std::vector<Number>& found) {
    if (!knows_spoken_times(notation.language)) return;
    for (const SpokenTime& time : spoken_times(text, notation.language)) {
        HourMark mark = hour_mark(text, time.range.end, notation.language.starts_with("de"));
        if (mark.night) mark.late = time.minutes >= 6 * 60 && time.minutes < kHalfDay;
        Number number{.kind = Number::Kind::time, .range = time.range, .figures = time.range, .digits = "spoken"};
        number.minutes = mark.known ? time.minutes % kHalfDay + (mark.late ? kHalfDay : 0) : time.minutes;
        number.half_known = mark.known;
        number.spoken = true;
        if (mark.known) number.range.end = mark.end;
        put_in(std::move(number), names, found);
    }
    for (const RomanNumeral& numeral : roman_numerals(text)) {
        Number number{.kind = Number::Kind::name, .range = numeral.range, .figures = numeral.range};
        number.roman = numeral.value;
        put_in(std::move(number), names, found);
    }
}

// Ranges in order, of which those that overlap are one: a name in an element that is kept, with the letter behind it.
std::vector<Range> without_overlaps(std::vector<Range> ranges) {
    std::ranges::sort(ranges, {}, &Range::begin);
    std::vector<Range> found;
    for (const Range& range : ranges) {
        if (!found.empty() && range.begin < found.back().end) found.back().end = std::max(found.back().end, range.end);
        else found.push_back(range);
    }
    return found;
}

}  // namespace

std::vector<Number> numbers(std::string_view text, const NumberNotation& notation, std::span<const Range> fixed,
                            bool has_ratios) {
    std::vector<Range> names(fixed.begin(), fixed.end());
    for (const Kept& kept : find_kept(text)) {
        const bool formula = formula_end(text, kept.range.begin) == kept.range.end;
        for (const Range& name : formula ? beside_decimals(text, kept.range) : std::vector{kept.range})
            names.push_back(name);
    }
    names = without_overlaps(std::move(names));
    std::vector<Number> found;
    auto name = names.begin();
    for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
        next = at;
        while (name != names.end() && name->end <= at) ++name;
        if (name != names.end() && name->begin <= at) {
            next = name->end;
            Number number{.kind = Number::Kind::name, .range = *name, .figures = *name};
            for (const char c : part(text, *name))
                if (c >= '0' && c <= '9') number.digits += c;
            if (!number.digits.empty()) found.push_back(std::move(number));
            continue;
        }
        if (!is_digit(next_character(text, next))) continue;
        Figures figures = figures_at(text, at);
        Number number;
        number.begins_ratio = cut_ratio(text, at, notation, has_ratios, figures);
        for (const std::string& group : figures.groups)
            for (const char c : group)
                if (c != '0' || !number.digits.empty()) number.digits += c;
        next = price_dash_end(text, figures.end);
        const std::size_t mark = notation.known() ? leading_mark(text, figures, at) : at;
        number.range = number.figures = {mark, next};
        add_sign(text, number);
        if (mark < at) {
            read_value({.groups = {"0", figures.groups.front()}, .separators = {'.'}, .end = next}, '.', -1, number);
            number.foreign = text[mark] != first_character(notation.decimal);
        } else {
            read(figures, notation, number);
            read_time(text, figures, notation, number);
        }
        if (number.kind == Number::Kind::value) {
            add_minus(text, number);
            const bool stop = figures.separators.size() == 1 && figures.separators.front() == '.';
            if (stop && notation.decimal == ".") number.label = label_of(text, number);
        }
        found.push_back(std::move(number));
    }
    if (notation.decimal == ".") continue_labels(text, found);
    share_hour_marks(text, notation, found);
    add_words(text, notation, names, found);
    return found;
}

}  // namespace dragoman::text
