// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "markup/unit.h"
#include "text/word_alignment.h"

namespace dragoman::markup {

// A stretch of a text that is unchanged in its translation, in bytes of both.
struct Unchanged {
    Range source{}, target{};
};

struct AlignedSentence {
    Range source{}, target{};     // bytes of a unit's text, and of its translation
    text::WordAlignment words{};  // alignment within these bytes; without weights: unknown
    std::vector<Unchanged> literals{};  // in bytes of the unit's text and of its translation
};

// The places of a unit's marks in its translation, in bytes: a pair's words, a point's place, the text that a literal
// replaces. `source` is the unit's text; the sentences are in order.
std::vector<Range> project(const Unit& unit, std::string_view source, std::string_view target,
                           std::span<const AlignedSentence> sentences);

}  // namespace dragoman::markup
