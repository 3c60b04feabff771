// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::text {

// A stretch of a text that stays unchanged in a translation.
struct Kept {
    enum class As : int {
        word,  // stands for a word in the sentence: an address, a name in a program
        mark,  // can be left out: an emoji, a tag, a brace
    };
    Range range;
    As as = As::word;
};

// Finds, in order, addresses (URLs, e-mail, IPv6), @names, #tags, paths, versions (1.4.2), names in programs (get_value,
// aB3xK9), files and other words of code (code_words.h, code_spans.h), what digits name (digit_groups.h), formulas
// (formulas.h), moves of chess (chess_moves.h), placeholders ({name}, %s, ${x}, %{x}, ICU's messages), links of messages
// (@:a.b, $t(a)), code in backticks, tags (<b>), marks of bold words (**), emoji and emoticons, signs in circles, rules
// (----), patterns of dates (yyyy-MM-dd), references to laws (5(1)(b)), commands of TeX, symbols of markup and code
// ({ } < > | \ ~ ^ `), and stretches of more than 64 characters without a blank.
std::vector<Kept> find_kept(std::string_view text);

// The end of the format that begins at `at` (%s, %1$d, %(name)s, %-5.2f, %lld); `at`: none does.
std::size_t format_end(std::string_view text, std::size_t at);

// Whether a text is symbols of programs, data or tables rather than words.
bool is_code(std::string_view text);

}  // namespace dragoman::text
