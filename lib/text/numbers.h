// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/characters.h"
#include "text/number_notation.h"

namespace dragoman::text {

// A number in a text: digits with stops, commas, colons, apostrophes or thin spaces between them, and the sign of a
// currency, percent or degree next to it.
struct Number {
    enum class Kind : int {
        value,     // an integer or decimal
        time,      // of a day
        sequence,  // several numbers with stops, commas or colons: dates, ratios
        name,      // stays as it is, character by character
    };
    // Whether it may be part of a name.
    enum class Label : int {
        none,
        likely,  // if the word in front of it stands in the translation, too: "Windows 8.1"
        sure,    // "Section 3.2", "libboost1.55"
    };
    Kind kind = Kind::value;
    Range range{};         // with the sign, or with what says the half of the day
    Range figures{};       // without it; with a minus, and with the dash behind a price
    std::string digits{};  // figures only, without leading zeros
    std::string value{};   // of a value: "-1234.5"; empty: it can be read in several ways
    int32_t sign = -1;
    int minutes = -1;      // of a time, from midnight
    bool whole_hour = false, half_known = false;  // of a time: it has no minutes; 3 pm, not 3:00
    bool shares_mark = false;   // of a time: its mark is behind the next number, "from 2 to 4 pm";
    bool same_half = false;     // in the half of the day that this has; false: in the other one, "from 10 to 4 pm"
    bool beside_clock = false;  // this has minutes, and no half: "18 bis 20:30 Uhr"
    bool spoken = false;        // in words: "half past two"
    int roman = 0;              // of a name: the value of a Roman numeral
    bool grouped = false;  // of a value: thousands are separated,
    bool spaced = false;   // by spaces
    bool foreign = false;  // in a notation that is not the language's; of a time: 14pm, or the mark is
    bool begins_ratio = false;  // of a value: the next one, which has marks of its own, is behind a colon
    Label label = Label::none;  // of a value
    std::size_t label_begin =
        0;  // the number that stands behind the word, if it is another one: "Windows 8.1 and 10.5"
};

// The first character of a text, or -1.
inline int32_t first_character(std::string_view text) {
    std::size_t at = 0;
    return text.empty() ? -1 : next_character(text, at);
}

// In the notation of the text's language. Nothing that `fixed` covers is anything but a name. `has_ratios`: the text that
// this one translates has ratios of numbers with marks of their own, "1:25,000".
std::vector<Number> numbers(std::string_view text, const NumberNotation& notation = {},
                            std::span<const Range> fixed = {}, bool has_ratios = false);

// The number of a text as another language writes it.
std::string written(std::string_view text, const Number& number, const NumberNotation& to);

}  // namespace dragoman::text
