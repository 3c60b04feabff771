// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace dragoman::text {

// Whether a text has a word for a number up to twelve, in any of its forms. True for languages whose words are not
// known here.
bool has_number_word(std::string_view text, int number, std::string_view language);

// Whether a text says that a time is in the second half of a day: "in the afternoon", "abends".
bool says_afternoon(std::string_view text);
// Whether it names midnight or noon.
bool says_midnight(std::string_view text);
bool says_noon(std::string_view text);

}  // namespace dragoman::text
