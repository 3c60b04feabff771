// SPDX-License-Identifier: Apache-2.0
// Signs that are drawn or repeated rather than read. Each function gives the end of what begins at byte `at`; `at`
// itself: nothing does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::text {

// Emoji beside each other.
std::size_t emoji_end(std::string_view text, std::size_t at);
// The same, and ticks and boxes of lists.
std::size_t pictogram_end(std::string_view text, std::size_t at);
// Faces of ordinary signs: ":-)", "<3" at a sentence's end, "¯\_(ツ)_/¯". `begins`: a word could begin here.
std::size_t emoticon_end(std::string_view text, std::size_t at, bool begins);

// Four of the same sign and more, or three of ! and ?: rules, leaders, lines to write on, shouts.
std::size_t sign_run_end(std::string_view text, std::size_t at);
// Whether a run of such a sign says the same as one of it: "!!!!", "?????".
bool ends_sentences(std::string_view run);

// A run of signs that end a sentence or are a line to write on, and what says the same: "!" for "!!!!!!", "..." for
// "........", a shorter line.
struct Shout {
    Range range;
    std::string plain;
};
std::vector<Shout> shouts(std::string_view text);

// A quotation mark « » ‹ › as a model reads it that has hardly seen any: `plain` is '"' or '\''; empty: it stands alone,
// and is a sign of menus ("Next »", "Home » Products") or has its blanks ("« Hello »").
struct Guillemet {
    Range range;
    std::string plain;
};
std::vector<Guillemet> guillemets(std::string_view text);
// Whether texts of a language seldom have guillemets, or the model of that language reads other quotation marks better.
bool avoids_guillemets(std::string_view language);

// "No." and "Nr." in front of a number, which models take for an answer, and the word that they stand for.
struct NumberSign {
    Range range;
    std::string word;
};
std::vector<NumberSign> number_signs(std::string_view text, std::string_view language);

}  // namespace dragoman::text
