// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "markup/unit.h"
#include "text/word_alignment.h"

namespace dragoman::markup {

struct AlignedSentence {
    Range source{}, target{};     // bytes of a unit's text, and of its translation
    text::WordAlignment words{};  // of these bytes; without weights: not known
};

// Where the marks of a unit stand in its translation, in bytes of it: a pair's words, a point's place. `source` is the
// unit's text; the sentences are in order.
std::vector<Range> project(const Unit& unit, std::string_view source, std::string_view target,
                           std::span<const AlignedSentence> sentences);

}  // namespace dragoman::markup
