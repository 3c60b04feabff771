// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/matrix.h"
#include "text/characters.h"

namespace dragoman::text {

// The source words for each word of a translation.
struct WordAlignment {
    std::vector<Range> source{}, target{};  // words
    std::vector<float> weights{};           // [target word][source word]; a row's sum is 1, or 0 if nothing is known

    float at(std::size_t target_word, std::size_t source_word) const {
        return weights[target_word * source.size() + source_word];
    }
    std::span<const float> row(std::size_t target_word) const {
        return std::span(weights).subspan(target_word * source.size(), source.size());
    }
    bool operator==(const WordAlignment&) const = default;
};

// A text and the bytes that each of its tokens stands for. Tokens with empty ranges belong to no word.
struct TokenRanges {
    std::string_view text;
    std::span<const Range> tokens;
};

// From the attention of a translation's tokens, [target token][source token], to its words. Rows and columns without a
// token's range (those of end tokens and prompts, where there are any, stand last) are left out.
WordAlignment align_words(TokenRanges source, TokenRanges target, const Matrix& attention);

// A source word and a target word that belong together, counted from 0.
struct WordLink {
    std::size_t source = 0, target = 0;
    bool operator==(const WordLink&) const = default;
};

// Words of this weight belong together, even if another word has a larger one.
inline constexpr float kLinkWeight = 0.4f;

// The source word with the largest weight of each target word, and all others that have `threshold` or more; ordered
// by target word.
std::vector<WordLink> links(const WordAlignment& alignment, float threshold = kLinkWeight);

// "0-0 1-2": a link is "source-target".
std::string pharaoh(std::span<const WordLink> links);

}  // namespace dragoman::text
