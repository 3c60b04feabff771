// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "pipeline/recorded.h"
#include "text/token_ranges.h"

namespace dragoman::test {

inline constexpr float kScoreTolerance = 1e-4f;  // relative above 1: improbable hypotheses add up large logarithms

inline std::string joined(const pipeline::Tokens& tokens) {
    std::string text;
    for (const auto& token : tokens) text += (text.empty() ? "" : " ") + token;
    return text;
}

inline void compare(const pipeline::Result& result, const RecordedHypotheses& expected) {
    REQUIRE(result.hypotheses.size() == expected.tokens.size());
    for (std::size_t h = 0; h < expected.tokens.size(); ++h) {
        CAPTURE(h);
        const auto& hypothesis = result.hypotheses[h];
        CHECK(joined(hypothesis.tokens) == joined(expected.tokens[h]));
        CHECK(std::abs(hypothesis.score - expected.scores[h]) <=
              kScoreTolerance * std::max(1.0f, std::abs(expected.scores[h])));
        if (expected.attention.empty() || hypothesis.tokens != expected.tokens[h]) continue;
        REQUIRE(hypothesis.attention.rows == expected.attention[h].size());
        float largest = 0.0f;
        for (std::size_t t = 0; t < expected.attention[h].size(); ++t) {
            REQUIRE(hypothesis.attention.cols == expected.attention[h][t].size());
            for (std::size_t j = 0; j < expected.attention[h][t].size(); ++j)
                largest = std::max(largest, std::abs(hypothesis.attention[t][j] - expected.attention[h][t][j]));
        }
        CHECK(largest <= kScoreTolerance);
    }
}

inline void compare_all(pipeline::Translator& translator, const Recorded& recorded) {
    for (const RecordedCase& c : recorded.cases) {
        CAPTURE(c.name);
        const auto results = translator.translate(c.requests, c.options);
        REQUIRE(results.size() == c.expected.size());
        for (std::size_t i = 0; i < results.size(); ++i) {
            CAPTURE(i);
            compare(results[i], c.expected[i]);
        }
    }
    std::vector<pipeline::Request> pairs;
    for (const auto& score : recorded.scores) pairs.push_back(score.pair);
    const auto results = translator.score(pairs);
    for (std::size_t i = 0; i < results.size(); ++i) {
        CAPTURE(i);
        REQUIRE(results[i].log_probs.size() == recorded.scores[i].log_probs.size());
        for (std::size_t t = 0; t < results[i].log_probs.size(); ++t)
            CHECK(std::abs(results[i].log_probs[t] - recorded.scores[i].log_probs[t]) <= kScoreTolerance);
    }
}

inline void compare_texts(const pipeline::Model& model, pipeline::Translator& translator, const Recorded& recorded) {
    for (const RecordedText& text : recorded.texts) {
        CAPTURE(text.text);
        const pipeline::Request request{source_tokens(model, text.text), {}};
        CHECK(request.source == text.pieces);
        const auto results = translator.translate(std::span(&request, 1), {.beam_size = 4});
        CHECK(model.detokenize(results[0].hypotheses.at(0).tokens).text == text.translation);
    }
}

}  // namespace dragoman::test
