// SPDX-License-Identifier: Apache-2.0
#include "text/shared_hour_marks.h"

#include <algorithm>
#include <array>
#include <string>

#include "text/pair_times.h"

namespace dragoman::text {
namespace {

enum class Join { none, range, list };

// What a text between two numbers says.
Join join_of(std::string_view gap) {
    static constexpr std::array<std::string_view, 18> kRanges{
        "-",     "\xe2\x80\x93", "\xe2\x80\x94", " - ",          " \xe2\x80\x93 ", " \xe2\x80\x94 ",
        " to ",  " till ",       " til ",        " until ",      " through ",      " thru ",
        " bis ", " bis um ",     " bis gegen ",  "\xe2\x80\x91", " up to ",        " to about "};
    static constexpr std::array<std::string_view, 18> kLists{", ",    " and ",  " or ",     ", and ",   ", or ",
                                                             " & ",   "/",      " / ",      " and at ", " or at ",
                                                             " und ", " oder ", " sowie ",  " und um ", " oder um ",
                                                             ", um ", ", at ",  ", and at "};
    if (std::ranges::find(kRanges, gap) != kRanges.end()) return Join::range;
    return std::ranges::find(kLists, gap) != kLists.end() ? Join::list : Join::none;
}

// What stands between a number and the next one.
Join join_at(std::string_view text, const std::vector<Number>& found, std::size_t i) {
    const std::size_t end = found[i].range.end, begin = found[i + 1].figures.begin;
    return end > begin ? Join::none : join_of(text.substr(end, begin - end));
}

// Whether the word before a number says that an hour follows.
bool follows_word_of_hours(std::string_view text, std::size_t number) {
    static constexpr std::array<std::string_view, 22> kWords{"at",   "um",    "between", "zwischen", "gegen", "ab",
                                                             "from", "von",   "by",      "before",   "after", "til",
                                                             "till", "until", "around",  "about",    "bis",   "nach",
                                                             "vor",  "seit",  "since",   "jeweils"};
    if (number < 2 || text[number - 1] != ' ') return false;
    std::size_t begin = number - 1;
    while (begin > 0 && number - begin < 12 && text[begin - 1] != ' ') --begin;
    std::string word(text.substr(begin, number - 1 - begin));
    if (!word.empty()) word.front() = char(word.front() | 0x20);
    return std::ranges::find(kWords, word) != kWords.end();
}

bool has_own_mark(const Number& number) {
    return number.kind == Number::Kind::time && number.range.end > number.figures.end;
}

// A bare hour, or one with minutes and without a mark.
bool may_be_hour(std::string_view text, const Number& number) {
    if (has_own_mark(number) || number.sign >= 0 || minutes_of(number) < 0) return false;
    std::size_t before = number.figures.begin;
    const int32_t left = previous_character(text, before);
    return !is_letter(left) && left != '#' && left != '+' && left != '/';
}

void share(const Number& mark, const Number& next, Number& number, bool has_halves) {
    const int own = minutes_of(number), hour = own / 60;
    number.whole_hour = number.figures.size() <= 2;
    number.kind = Number::Kind::time;
    number.foreign = false;
    number.label = Number::Label::none;
    number.shares_mark = true;
    number.half_known = mark.half_known;
    number.beside_clock = !mark.whole_hour && !mark.half_known;
    if (!mark.half_known || hour > 12) {
        number.minutes = own % (2 * kHalfDay);
        number.foreign = mark.half_known && hour > 12 && has_halves;
        number.half_known = mark.half_known && hour <= 12;
    } else {
        const int same = own % kHalfDay + (next.minutes >= kHalfDay ? kHalfDay : 0);
        number.minutes = same < next.minutes ? same : (same + kHalfDay) % (2 * kHalfDay);
    }
    number.same_half = number.minutes / kHalfDay == mark.minutes / kHalfDay && number.minutes < next.minutes;
}

}  // namespace

void share_hour_marks(std::string_view text, const NumberNotation& notation, std::vector<Number>& found) {
    if (notation.hour_word.empty() && notation.am.empty()) return;
    for (std::size_t marked = found.size(); marked-- > 1;) {
        if (!has_own_mark(found[marked])) continue;
        std::size_t first = marked, of_range = marked;  // the first number of a list, and of a range alone
        bool list = false, pairs = true;  // pairs: a list of ranges, "8-12, 14-18 Uhr"
        for (std::size_t i = marked; i-- > 0; first = i) {
            const Join join = may_be_hour(text, found[i]) ? join_at(text, found, i) : Join::none;
            if (join == Join::none) break;
            list |= join == Join::list;
            pairs &= (join == Join::range) == ((marked - i) % 2 == 1);
            if (!list) of_range = i;
        }
        pairs &= (marked - first) % 2 == 1;
        if (list && !pairs && !follows_word_of_hours(text, found[first].figures.begin) &&
            !(first > 0 && has_own_mark(found[first - 1]) && join_at(text, found, first - 1) == Join::list))
            first = of_range;
        for (std::size_t i = marked; i-- > first;) share(found[marked], found[i + 1], found[i], !notation.am.empty());
        marked = first > 0 ? first : 1;
    }
}

}  // namespace dragoman::text
