// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace dragoman::text {

using WordSet = std::unordered_set<std::string_view>;

// The meaning of a full stop in a language. Words are in lower case, without their last full stop and without spaces:
// "z. B." is "z.b".
struct LanguageRules {
    bool ordinals = false;       // "3." is "third"
    bool capital_nouns = false;  // a capital does not imply that a sentence begins
    WordSet always;              // never end a sentence: titles, "z. B."
    WordSet before_number;       // do not end one when a number follows: "No. 5"
    WordSet often;               // end one only when a word of `starters` follows: "etc.", "U.S."
    WordSet starters;            // words that often begin a sentence and seldom follow an abbreviation
};

// Rules for "de", "de-AT", "deu_Latn" and everything else that spec::LanguageTag understands; an empty or unknown code
// gives rules that suit most languages. They live as long as the program.
const LanguageRules& language_rules(std::string_view code);

// Turns "deu_Latn" into "de", both ways of writing Norwegian into "no", and anything that is not a language code into
// "".
std::string primary_language(std::string_view code);

}  // namespace dragoman::text
