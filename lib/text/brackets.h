// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/characters.h"

// Brackets that stand beside letters without a blank: those of East Asian texts, and what normalising makes of them.
namespace dragoman::text {

// The bracket that closes one of other scripts than Latin; -1: it opens none.
int32_t foreign_closing(int32_t opening);

// A bracket beside a letter outside of it, and what a model reads in its place.
struct GluedBracket {
    Range range;
    std::string plain;
};

// In a normalised text, in pairs. Of ASCII's brackets only those around several words, "the dog(a small animal)is", and
// around words of another script that a word follows; not "word(s)".
std::vector<GluedBracket> glued_brackets(std::string_view text);

}  // namespace dragoman::text
