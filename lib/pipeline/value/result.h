// SPDX-License-Identifier: Apache-2.0
// Room "value": what a sentence, a document and a translation are. Plain data, and functions from data to data.
// Nothing here calls a model, waits or keeps state between calls; only the room "model" may be included.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/model/options.h"
#include "pipeline/value/packed_tokens.h"
#include "pipeline/value/translation.h"
#include "tm/segments.h"
#include "text/characters.h"

namespace dragoman::pipeline {

using Hypothesis = Translation;  // one of several that the search has found

// The result for an input of tokens.
struct Result {
    std::vector<Translation> hypotheses;  // best first
};

// Facts about a sentence that a reader should know.
struct SentenceFlags {
    static constexpr uint32_t copied = 1;  // as it was given: for one of the next reasons, or it says nothing
    static constexpr uint32_t in_target_language = 2;  // nothing to translate
    static constexpr uint32_t in_other_language = 4;  // that the model does not translate from
    static constexpr uint32_t carried = 8;  // what the model cannot read, or should not, was put in as it was
    static constexpr uint32_t repeated = 16;  // the model repeated itself: it was translated in parts, or copied
    static constexpr uint32_t numbers = 32;  // a number of it is missing in the translation
    static constexpr uint32_t mojibake = 64;  // it looks like UTF-8 that was read as another encoding
    static constexpr uint32_t from_memory = 128;  // the translation is a translation memory's
    static constexpr uint32_t unsure = 256;  // its translation had less quality than min_quality: it was copied
    static constexpr uint32_t uncovered = 512;  // its translation leaves out more than max_uncovered_words in a row
};

// The text that the model got in one piece: a sentence, or a part of a long one.
struct SourceSentence {
    text::Range range;  // bytes of the text
    PackedTokens packed{};  // with the bytes of the text that each stands for; none unless return_tokens
    std::string language{};  // a tag, with source_language "auto"
    float language_probability = 0.0f;
    uint32_t flags = 0;  // SentenceFlags
    std::vector<tm::Match> matches{};  // segments of a translation memory that are like it

    Tokens tokens() const { return packed.tokens(); }
    std::vector<text::Range> ranges() const { return packed.ranges(); }
};

struct TextHypothesis {
    std::string text;  // with markup: the document's
    std::string plain{};  // with markup: the translations, to which all ranges refer
    std::vector<Translation>
        sentences;  // parallel to the source's, each at its place in the translation, without tokens
    std::vector<PackedTokens> packed{};  // their tokens; sentences at the end have none where the list is shorter
    float score = 0.0f;  // mean of the sentences', weighted by their tokens
    float quality = 0.0f;  // likewise, by their words; 0 unless asked for

    const PackedTokens& packed_at(std::size_t sentence) const;
    Tokens tokens(std::size_t sentence) const { return packed_at(sentence).tokens(); }
    std::vector<text::Range> ranges(std::size_t sentence) const { return packed_at(sentence).ranges(); }
};

// Hypothesis i consists of the i-th hypothesis of every sentence (the last one of a sentence that has fewer).
struct TextResult {
    std::vector<SourceSentence> sentences;
    std::vector<TextHypothesis> hypotheses;  // at least one
    std::string plain_source{};  // of markup: its texts without tags, to which all ranges refer
};

// Adds the next sentence, behind a gap of text.
void add_sentence(TextHypothesis& all, Translation sentence, std::string_view gap);

// The translation of a text as that of one sentence. `sources` are its source sentences.
Translation whole(const TextHypothesis& hypothesis, const std::vector<SourceSentence>& sources);

struct ScoreResult {
    Tokens tokens;  // target tokens scored, end token last
    std::vector<float> log_probs;  // natural logarithm, one per token
    std::vector<text::Range> ranges{};  // of a text: the bytes of it that each token stands for; the end's are empty
};

}  // namespace dragoman::pipeline
