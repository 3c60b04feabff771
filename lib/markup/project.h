// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "markup/unit.h"
#include "text/word_alignment.h"

namespace dragoman::markup {

// A stretch of a text that its translation has unchanged, in bytes of both.
struct Unchanged {
    Range source{}, target{};
};

struct AlignedSentence {
    Range source{}, target{};     // bytes of a unit's text, and of its translation
    text::WordAlignment words{};  // of these bytes; without weights: not known
    std::vector<Unchanged> literals{};  // in bytes of the unit's text and of its translation
};

// Where the marks of a unit stand in its translation, in bytes of it: a pair's words, a point's place, the text that a
// literal takes the place of. `source` is the unit's text; the sentences are in order.
std::vector<Range> project(const Unit& unit, std::string_view source, std::string_view target,
                           std::span<const AlignedSentence> sentences);

}  // namespace dragoman::markup
