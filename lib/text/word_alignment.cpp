// SPDX-License-Identifier: Apache-2.0
#include "text/word_alignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "text/words.h"

namespace dragoman::text {
namespace {

// Attention rests on the end of a sentence where a word has nothing to look at, and the full stop stands for the end.
// A word takes a mark for its source only if nothing else has this share of the mark's weight.
constexpr float kRest = 0.2f;

// The words that each token has a part of.
std::vector<Range> words_of_tokens(std::span<const Range> tokens, std::span<const Range> words) {
    std::vector<Range> result(tokens.size());
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        const auto first = std::ranges::upper_bound(words, tokens[t].begin, {}, &Range::end);
        const auto last = std::ranges::lower_bound(first, words.end(), tokens[t].end, {}, &Range::begin);
        result[t] = {std::size_t(first - words.begin()), std::size_t(last - words.begin())};
        if (tokens[t].size() == 0) result[t].end = result[t].begin;
    }
    return result;
}

void normalize(std::span<float> row) {
    const float sum = std::accumulate(row.begin(), row.end(), 0.0f);
    if (sum > 0)
        for (float& weight : row) weight /= sum;
}

}  // namespace

WordAlignment align_words(TokenRanges source, TokenRanges target, const Matrix& attention) {
    WordAlignment result{.source = words(source.text), .target = words(target.text)};
    const std::size_t columns = result.source.size();
    result.weights.assign(result.target.size() * columns, 0.0f);
    const std::vector<Range> of_source = words_of_tokens(source.tokens, result.source);
    const std::vector<Range> of_target = words_of_tokens(target.tokens, result.target);
    for (std::size_t t = 0; t < std::min(of_target.size(), attention.rows); ++t)
        for (std::size_t w = of_target[t].begin; w < of_target[t].end; ++w)
            for (std::size_t s = 0; s < std::min(of_source.size(), attention.cols); ++s)
                for (std::size_t v = of_source[s].begin; v < of_source[s].end; ++v) {
                    float& weight = result.weights[w * columns + v];
                    weight = std::max(weight, attention[t][s]);
                }
    std::vector<bool> spoken(columns);
    for (std::size_t v = 0; v < columns; ++v) spoken[v] = is_spoken(part(source.text, result.source[v]));
    for (std::size_t w = 0; w < result.target.size(); ++w) {
        const auto row = std::span(result.weights).subspan(w * columns, columns);
        if (is_spoken(part(target.text, result.target[w])))
            for (std::size_t v = 0; v < columns; ++v)
                if (!spoken[v]) row[v] *= kRest;
        normalize(row);
    }
    return result;
}

std::vector<WordLink> links(const WordAlignment& alignment, float threshold) {
    std::vector<WordLink> result;
    for (std::size_t t = 0; t < alignment.target.size(); ++t) {
        const auto row = alignment.row(t);
        const auto best = std::ranges::max_element(row);
        if (best == row.end() || *best <= 0) continue;
        for (auto weight = row.begin(); weight != row.end(); ++weight)
            if (weight == best || *weight >= threshold) result.push_back({std::size_t(weight - row.begin()), t});
    }
    return result;
}

std::string pharaoh(std::span<const WordLink> links) {
    std::string result;
    for (const WordLink& link : links)
        result += fmt::format("{}{}-{}", result.empty() ? "" : " ", link.source, link.target);
    return result;
}

}  // namespace dragoman::text
