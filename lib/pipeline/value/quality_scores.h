// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/matrix.h"
#include "decode/search.h"
#include "spec/quality_weights.h"
#include "text/characters.h"

namespace dragoman::pipeline {

// The facts from which a translation is scored, made from what the search knew.
struct Evidence {
    std::vector<spec::WordFeatures> words{};
    spec::SentenceFeatures sentence{};  // without those of the words' scores
};

// How sure a translation is. Scores are between 0 and 1.
struct Quality {
    float score = 0.0f;                // of the sentence
    std::vector<text::Range> words{};  // bytes of its text, as text::words() finds them
    std::vector<float> scores{};       // of the words
    Evidence evidence{};               // what it was judged by, if the model was asked

    bool empty() const { return words.empty() && scores.empty() && score == 0.0f; }
};

// A sentence and its translation, with what the search noted.
struct Judged {
    std::string_view source, target;
    std::span<const text::Range> tokens;           // of the target
    std::span<const decode::Certainty> certainty;  // of these; shorter: the last ones have none
    const Matrix& attention;                       // of these, over the tokens of the source
    std::size_t prompt_tokens = 0, prompt_tokens_after = 0;  // of the source's: said by no word
    std::optional<float> end_log_prob{};  // none: the translation was cut
    bool numbers = false;  // one is missing
};

Evidence evidence(const Judged& judged, std::span<const text::Range> words);

// A logistic score between 0 and 1, from features and their weights.
float logistic(std::span<const float> features, std::span<const float> weights);

// Scores the words, then the sentence, from features that include the words' scores. Words in `sure`, in bytes of the
// target, were copied from the source and get 1.
void judge(const Evidence& evidence, const spec::QualityWeights& weights, std::span<const text::Range> sure,
           Quality& quality);

// The features that come from the scores of the sentence's words.
void add_scores(std::span<const spec::WordFeatures> words, std::span<const float> scores,
                spec::SentenceFeatures& features);

// The quality of a text that is the source's own: all scores are the same.
Quality quality_of_copy(std::string_view text, float score);

}  // namespace dragoman::pipeline
