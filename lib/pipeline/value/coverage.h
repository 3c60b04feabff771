// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "text/characters.h"
#include "text/word_alignment.h"

namespace dragoman::pipeline {

// Words in a row, and the bytes from the first one's begin to the last one's end.
struct WordRun {
    std::size_t words = 0;
    text::Range range{};
    bool operator==(const WordRun&) const = default;
};

// The words of a source that its translation covers. Punctuation does not count as words here: translations may do
// without it.
struct Coverage {
    bool measured = false;
    std::vector<text::Range> words{};  // of the source, bytes of the document
    std::vector<bool> reached{};       // whether a word of the translation is linked to each of these

    float share() const;  // of the words that are reached: 1 if there is none, 0 if nothing was measured
    WordRun longest_unreached() const;  // the first of equally long ones
    bool operator==(const Coverage&) const = default;
};

// A word of the source is reached if some word of the translation gives it its largest weight, or 0.4: text::links() has
// the same links, but one for words of equal weights, which stand in one token. `document` and `translation` are what the
// alignment's ranges count in.
Coverage measure_coverage(const text::WordAlignment& alignment, std::string_view document,
                          std::string_view translation);

// The coverage of a part of a document that is a translation as it is, or has a person's translation.
Coverage complete_coverage(std::string_view document, text::Range part);

}  // namespace dragoman::pipeline
