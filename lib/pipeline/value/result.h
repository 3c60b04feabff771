// SPDX-License-Identifier: Apache-2.0
// Room "value": what a sentence, a document and a translation are. Plain data, and functions from data to data.
// Nothing here calls a model, waits or keeps state between calls; only the room "model" may be included.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/model/options.h"
#include "pipeline/value/quality_scores.h"
#include "recall/segments.h"
#include "text/characters.h"
#include "text/word_alignment.h"

namespace dragoman::pipeline {

// A term of the options that a sentence has, or what it must keep.
struct TermUse {
    text::Range source;  // bytes of the document
    bool met = false;    // the translation has it
};

// A stretch that a translation has as it was.
struct Unchanged {
    text::Range source;  // bytes of the document
    text::Range target;  // of the translation
};

struct Hypothesis {
    Tokens tokens;
    float score = 0.0f;                         // normalised; 0 unless return_scores
    std::vector<std::vector<float>> attention;  // [target token][source token]; empty unless asked for
    std::string text{};                         // of the tokens; empty for a model without tokenizer
    std::vector<text::Range> ranges{};          // the bytes of `text` that each token stands for; none without text
    std::size_t length = 0;                     // in tokens, though they may be gone
    std::vector<TermUse> terms{};               // of the sentence
    text::WordAlignment alignment{};            // words of the document and of `text`; empty unless asked for
    std::vector<Unchanged> unchanged{};         // of Document::kept
    std::vector<decode::Certainty> certainty{};  // of the tokens, until the quality is known
    std::optional<float> end_log_prob{};        // likewise, of the end, if it came
    std::vector<text::Range> put_in{};          // likewise: bytes of `text` that are the document's own
    Quality quality{};                          // empty unless asked for
};

// Of an input of tokens.
struct Result {
    std::vector<Hypothesis> hypotheses;  // best first
};

// What a reader should know of a sentence.
struct SentenceFlags {
    static constexpr uint32_t copied = 1;               // as it was given: for one of the next reasons, or it says nothing
    static constexpr uint32_t in_target_language = 2;   // nothing to translate
    static constexpr uint32_t in_other_language = 4;    // that the model does not translate from
    static constexpr uint32_t carried = 8;              // what the model cannot read, or should not, was put in as it was
    static constexpr uint32_t repeated = 16;            // the model repeated itself: it was translated in parts, or copied
    static constexpr uint32_t numbers = 32;             // a number of it is missing in the translation
    static constexpr uint32_t mojibake = 64;            // it looks like UTF-8 that was read as another encoding
    static constexpr uint32_t from_memory = 128;        // the translation is a translation memory's
    static constexpr uint32_t unsure = 256;             // its translation had less quality than min_quality: it was copied
};

// What the model got in one piece: a sentence, or a part of a long one.
struct SourceSentence {
    text::Range range;                // bytes of the text
    Tokens tokens;
    std::vector<text::Range> ranges;  // the bytes of the text that each token stands for
    std::string language{};           // a tag, with source_language "auto"
    float language_probability = 0.0f;
    uint32_t flags = 0;               // SentenceFlags
    std::vector<recall::Match> matches{};  // segments of a translation memory that are like it
};

struct TargetSentence {
    text::Range range;  // bytes of the translation
    Tokens tokens;
    float score = 0.0f;
    std::vector<std::vector<float>> attention;
    std::vector<text::Range> ranges;  // the bytes of the translation that each token stands for
    text::WordAlignment alignment{};  // words of the text and of the translation; empty unless asked for
    std::vector<TermUse> terms{};      // bytes of the text, and whether the translation has what they must become
    std::vector<Unchanged> unchanged{};  // of Document::kept
    Quality quality{};                // words of the translation; empty unless asked for
};

struct TextHypothesis {
    std::string text;                       // with markup: the document's
    std::string plain{};                    // with markup: the translations, to which all ranges refer
    std::vector<TargetSentence> sentences;  // parallel to the source's
    float score = 0.0f;                     // mean of the sentences', weighted by their tokens
    float quality = 0.0f;                   // likewise, by their words; 0 unless asked for
};

// Hypothesis i consists of the i-th hypothesis of every sentence (the last one of a sentence that has fewer).
struct TextResult {
    std::vector<SourceSentence> sentences;
    std::vector<TextHypothesis> hypotheses;  // at least one
    std::string plain_source{};              // of markup: its texts without tags, to which all ranges refer
};

struct ScoreResult {
    Tokens tokens;                 // target tokens scored, end token last
    std::vector<float> log_probs;  // natural logarithm, one per token
    std::vector<text::Range> ranges{};  // of a text: the bytes of it that each token stands for; the end's are empty
};

}  // namespace dragoman::pipeline
