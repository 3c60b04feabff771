// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::text {

// The words of a UTF-8 text, in order; white space and invisible characters belong to none. A word is a run of letters,
// marks and digits with what joins them inside (apostrophes and hyphens; stops, commas and colons between digits), in
// scripts without spaces what ICU's dictionaries find, or else one of the other characters; equal ones in a row ("...")
// are one word.
std::vector<Range> words(std::string_view text);

// Whether a word has a letter or digit, so is not a mark of punctuation or a symbol.
bool is_spoken(std::string_view word);

}  // namespace dragoman::text
