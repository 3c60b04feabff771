// SPDX-License-Identifier: Apache-2.0
// Texts in letters that are no words.
#pragma once

#include <string_view>

#include "text/characters.h"

namespace dragoman::text {

// Whether a text says how a program writes dates and times ("dd.MM.yyyy HH:mm", "TT.MM.JJJJ"): signs, and letters that
// each stand for a part of these, two or more of them, some of them twice.
bool is_date_pattern(std::string_view text);

// Whether a text begins or ends encoded data: "-----BEGIN CERTIFICATE-----".
bool is_armour(std::string_view text);

// The end of a reference to a part of a law that begins at `at`, of figures and brackets or of several brackets: "5(1)(b)(iii)",
// "(a)(2)". `at`: none does.
std::size_t reference_end(std::string_view text, std::size_t at);

// The end of what a command of TeX begins with at `at`: "\textbf{" of a command whose argument is text, with the argument
// ("\ref{eq:1}") otherwise. `at`: none does. `text_follows`: which of both it is.
std::size_t command_end(std::string_view text, std::size_t at, bool& text_follows);

}  // namespace dragoman::text
