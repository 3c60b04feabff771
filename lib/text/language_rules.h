// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace dragoman::text {

using WordSet = std::unordered_set<std::string_view>;

// What a full stop means in a language. Words are in lower case, without their last full stop and without spaces:
// "z. B." is "z.b".
struct LanguageRules {
    bool ordinals = false;       // "3." is "third"
    bool capital_nouns = false;  // a capital does not say that a sentence begins
    WordSet always;              // never end a sentence: titles, "z. B."
    WordSet before_number;       // do not end one when a number follows: "No. 5"
    WordSet often;               // end one only when a word of `starters` follows: "etc.", "U.S."
    WordSet starters;            // words that often begin a sentence and seldom follow an abbreviation
};

// "de", "de-AT", "deu_Latn" and whatever else spec::LanguageTag understands; an empty or unknown code gives rules that
// suit most languages. Lives as long as the program.
const LanguageRules& language_rules(std::string_view code);

// "deu_Latn" to "de", both ways of writing Norwegian to "no"; anything that is not a language code to nothing.
std::string primary_language(std::string_view code);

}  // namespace dragoman::text
