// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::text {

// Words with a capital and a letter that the text's language does not write: "Yeşilgöz" in an English or German one, by
// the language's code; and names of several words that are written as one, "HttpClient". None for languages that write
// more letters than Latin-1 has, for words in capitals, and for words that have other alphabets' letters.
std::vector<Range> foreign_names(std::string_view text, std::string_view language);

// Whether a translation has a name, without an ending "s" of it or with its letters' plain forms (Lodz for Łódź); or is
// in no Latin letters, which have names of their own.
bool has_name(std::string_view translation, std::string_view name);

}  // namespace dragoman::text
