// SPDX-License-Identifier: Apache-2.0
#include "text/hour_mark.h"

#include <array>

namespace dragoman::text {
namespace {

bool takes(std::string_view text, std::size_t& at, std::string_view word) {
    if (text.size() - at < word.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i)
        if ((text[at + i] | 0x20) != (word[i] | 0x20)) return false;
    std::size_t end = at + word.size();
    const std::size_t behind = end;
    if (is_letter(next_character(text, end)) && word.back() != '.') return false;
    at = behind;
    return true;
}

}  // namespace

HourMark hour_mark(std::string_view text, std::size_t at, bool german) {
    HourMark mark{.end = at};
    const auto blank = [&] {
        std::size_t next = at;
        if (is_space(next_character(text, next))) at = next;
    };
    blank();
    for (const std::string_view word : {"Uhr", "o'clock",
                                        "o\xe2\x80\x99"
                                        "clock"})
        if (takes(text, at, word)) {
            mark.hour = true;
            mark.broken = takes(text, at, ".m.") || takes(text, at, ".m");
            mark.end = at;
            blank();
            break;
        }
    static constexpr std::array<std::string_view, 10> kLate{
        "p.m.",           "p. m.",       "pm",     "p.m",     "in the afternoon",
        "in the evening", "nachmittags", "abends", "mittags", "at night"};
    static constexpr std::array<std::string_view, 7> kEarly{"a.m.",           "a. m.",   "am",        "a.m",
                                                            "in the morning", "morgens", "vormittags"};
    for (const std::string_view word : kLate)
        if (takes(text, at, word)) return {at, true, true, true};
    for (const std::string_view word : kEarly) {
        std::size_t end = at;
        // "2 am Montag" has another "am".
        if (takes(text, end, word) && !(german && word == "am")) return {end, true, false, true};
    }
    return mark;
}

}  // namespace dragoman::text
