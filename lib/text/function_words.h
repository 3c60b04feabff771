// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dragoman::text {

// How much the function words of a text speak for a language. A word of several languages counts in part for each, a
// word of one letter half.
struct FunctionWordVote {
    std::string_view language;
    double weight = 0.0;
};

// Of all languages in Latin letters whose function words are known, in order of their codes.
std::vector<FunctionWordVote> function_word_votes(std::string_view text);

// Whether a word in small letters is one of a language's. `language`: a code, of which the first part counts.
bool is_function_word(std::string_view word, std::string_view language);

}  // namespace dragoman::text
