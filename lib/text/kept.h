// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::text {

// A stretch of a text that a translation has unchanged.
struct Kept {
    enum class As : int {
        word,  // takes the place of a word in the sentence: an address, a name in a program
        mark,  // could be left out: an emoji, a tag, a brace
    };
    Range range;
    As as = As::word;
};

// Addresses (URLs, e-mail), @names, #tags, paths, versions (1.4.2), names in programs (get_value, aB3xK9), placeholders
// ({name}, %s, ${x}, ICU's messages), code in backticks, tags (<b>), emoji, symbols of markup and code
// ({ } < > | \ ~ ^ `), and what has no blank in more than 64 characters. In order.
std::vector<Kept> find_kept(std::string_view text);

// The cells of a row of a table with bars ("| Name | Age |") that have letters, in order; none for other texts.
std::vector<Range> cells(std::string_view text, Range sentence);

// Whether a text has rather symbols of programs, of data or of tables than words.
bool is_code(std::string_view text);

}  // namespace dragoman::text
