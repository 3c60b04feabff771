// SPDX-License-Identifier: Apache-2.0
// Texts that are no sentences, but lists of words.
#pragma once

#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::text {

// What stands between slashes, in order, where that is all of a text: "Yes/No", "First name / Last name". None for other
// texts, nor for units (km/h), short names (TCP/IP) and endings (Mitarbeiter/innen).
std::vector<Range> alternatives(std::string_view text, Range sentence);

// The items of a text that lists short ones with commas ("London, Paris"), or says a word again and again ("no no no");
// none for other texts. The last one may be two ("milk, bread and tea"). A mark at an item's end belongs to it where no other item follows.
std::vector<Range> items(std::string_view text, Range sentence);

// Whether a sentence has items, and a translation has too few words, or far too many, to say each of them; where a word
// comes again and again, also if its words cannot be as many for each.
bool loses_items(std::string_view text, Range sentence, std::string_view translation);

}  // namespace dragoman::text
