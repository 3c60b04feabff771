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

// Finds, in order, addresses (URLs, e-mail), @names, #tags, paths, versions (1.4.2), names in programs (get_value,
// aB3xK9), files and other words of code (code_words.h), what digits name (digit_groups.h), formulas (formulas.h),
// placeholders ({name}, %s, ${x}, %{x}, ICU's messages), links of messages (@:a.b, $t(a)), code in backticks, tags (<b>),
// emoji, symbols of markup and code ({ } < > | \ ~ ^ `), and stretches of more than 64 characters without a blank.
std::vector<Kept> find_kept(std::string_view text);

// The end of the format that begins at `at` (%s, %1$d, %(name)s, %-5.2f, %lld); `at`: none does.
std::size_t format_end(std::string_view text, std::size_t at);

// The cells with letters in a row of a table with bars ("| Name | Age |"), in order; none for other texts.
std::vector<Range> cells(std::string_view text, Range sentence);

// The fields of a line: what is between its tabs.
std::vector<Range> fields(std::string_view text, Range sentence);

// What a bracket of East Asian texts holds at the beginning of a sentence in another script that is glued to it:
// "Note" in "【Note】The dog"; empty: nothing.
Range bracketed_label(std::string_view text, Range sentence);
// The end of the bracket that closes at `at`.
std::size_t bracketed_end(std::string_view text, std::size_t at);

// Whether a text is symbols of programs, data or tables rather than words.
bool is_code(std::string_view text);

}  // namespace dragoman::text
