// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "text/characters.h"

namespace dragoman::text {

// Whether a text of two words or more is written in capitals.
bool is_in_capitals(std::string_view text);
// Whether nearly all words of a text, four or more, begin with a capital.
bool is_in_title_case(std::string_view text);
// Whether a text of three words or more has letters with case, and no capital.
bool is_in_small_letters(std::string_view text);
// Whether the capital at text[at, end) only begins a word as in a title: what follows it is small. Not English "I".
bool begins_title_word(std::string_view text, Range capital);

// A character in lower case by the rules of a language, as BCP 47 names it ("tr").
std::string small_letter(int32_t c, const std::string& language);
std::string small_letters(std::string_view text, const std::string& language);
std::string capital_letter(int32_t c, const std::string& language);
// A text in upper case, with the ranges of its tokens.
void to_capitals(std::string& text, std::span<Range> ranges, const std::string& language);

}  // namespace dragoman::text
