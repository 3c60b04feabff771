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

// Whether "am" behind an hour is English in a German text: "9am", "9 am-17 Uhr", "9 am bis 17 Uhr", "11 AM".
bool is_english_am(std::string_view text, std::size_t begin, std::size_t end, bool glued) {
    if (glued || end >= text.size()) return true;
    std::size_t behind = end;
    if (!is_space(next_character(text, behind))) return true;
    const std::string_view rest = text.substr(behind);
    for (const std::string_view word : {"bis ", "und ", "oder ", "- ", "\xe2\x80\x93 "})
        if (rest.starts_with(word)) return true;
    std::size_t second = behind;
    const bool in_capitals = is_upper(next_character(text, second)) && is_upper(next_character(text, second));
    return text[begin] == 'A' && text[begin + 1] == 'M' && !in_capitals;
}

struct Half {
    std::string_view word;
    bool late, german;
};
constexpr std::array<Half, 18> kHalves{{{"p.m.", true, false},
                                        {"p. m.", true, false},
                                        {"pm", true, false},
                                        {"p.m", true, false},
                                        {"in the afternoon", true, false},
                                        {"in the evening", true, false},
                                        {"nachmittags", true, true},
                                        {"abends", true, true},
                                        {"mittags", true, true},
                                        {"at night", true, false},
                                        {"nachts", true, true},
                                        {"a.m.", false, false},
                                        {"a. m.", false, false},
                                        {"am", false, false},
                                        {"a.m", false, false},
                                        {"in the morning", false, false},
                                        {"morgens", false, true},
                                        {"vormittags", false, true}}};

// "9 pm evenings", "12 pm nights": what models make of "9 Uhr abends".
void drop_second_half(std::string_view text, HourMark& mark) {
    for (const std::string_view word : {" evenings", " nights", " mornings", " afternoons"}) {
        std::size_t end = mark.end;
        if (!takes(text, end, word)) continue;
        mark.end = end;
        mark.broken = true;
        return;
    }
}

}  // namespace

HourMark hour_mark(std::string_view text, std::size_t at, bool german) {
    const std::size_t figures = at;
    HourMark mark{.end = at};
    if (takes(text, at, ".m.") || takes(text, at, ".m")) {  // "4.m.", of "4 a.m."
        mark.hour = mark.broken = true;
        mark.end = at;
        return mark;
    }
    if (german && takes(text, at, ". Uhr")) {  // "8. Uhr"
        mark = {.end = at, .hour = true, .broken = true, .german = true};
        return mark;
    }
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
            (word == "Uhr" ? mark.german : mark.english) = true;
            mark.end = at;
            blank();
            while (takes(text, at, "Uhr")) {  // once more
                mark.broken = true;
                mark.end = at;
                blank();
            }
            at = mark.end;
            mark.broken |= takes(text, at, ".m.") || takes(text, at, ".m");
            mark.end = at;
            blank();
            break;
        }
    for (const Half& half : kHalves) {
        std::size_t end = at;
        if (!takes(text, end, half.word)) continue;
        if (german && half.word == "am" && !is_english_am(text, at, end, at == figures)) continue;
        mark.end = end;
        mark.known = mark.hour = true;
        mark.late = half.late;
        mark.night = half.word == "at night" || half.word == "nachts";
        (half.german ? mark.german : mark.english) = true;
        if (!german && mark.english) drop_second_half(text, mark);
        return mark;
    }
    if (!german) drop_second_half(text, mark);  // "12:30 nights"
    return mark;
}

HourMark noon_mark(std::string_view text, std::size_t at) {
    static constexpr std::array<Half, 6> kTwelves{{{"noon", true, false},
                                                   {"midday", true, false},
                                                   {"midnight", false, false},
                                                   {"mittags", true, true},
                                                   {"Mittag", true, true},
                                                   {"Mitternacht", false, true}}};
    HourMark mark{.end = at};
    std::size_t begin = at;
    if (!is_space(next_character(text, begin))) return mark;
    for (const Half& twelve : kTwelves) {
        std::size_t end = begin;
        if (!takes(text, end, twelve.word)) continue;
        mark = {.end = end, .known = true, .late = twelve.late, .hour = true};
        (twelve.german ? mark.german : mark.english) = true;
        mark.broken = twelve.german;  // German says "12 Uhr mittags"
        break;
    }
    return mark;
}

}  // namespace dragoman::text
