// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/characters.h"
#include "translate/translator.h"

namespace dragoman::translate {

// How whole texts become what the model translates.
struct TextOptions {
    // false: each text is one sequence, and max_input_length cuts it.
    bool split_sentences = true;
    bool join_lines = false;         // a single line break is a space; else it ends a sentence
    std::string source_language;     // for finding sentences; empty: unknown
    std::string target_language;     // for models with language codes; empty: the text's own code or none
    uint32_t max_segment_tokens = 0; // longer sentences are cut in parts; 0: 128. Never more than the model can take.
    bool return_tokens = true;       // false saves memory: no tokens in the result
};

struct Text {
    std::string_view text;  // UTF-8
    Tokens target_prefix;   // of its first sentence
};

// What the model got in one piece: a sentence, or a part of a long one.
struct SourceSentence {
    text::Range range;  // bytes of the text
    Tokens tokens;
};

struct TargetSentence {
    text::Range range;  // bytes of the translation
    Tokens tokens;
    float score = 0.0f;
    std::vector<std::vector<float>> attention;
};

struct TextHypothesis {
    std::string text;
    std::vector<TargetSentence> sentences;  // parallel to the source's
    float score = 0.0f;                     // mean of the sentences', weighted by their tokens
};

// Hypothesis i consists of the i-th hypothesis of every sentence (the last one of a sentence that has fewer).
struct TextResult {
    std::vector<SourceSentence> sentences;
    std::vector<TextHypothesis> hypotheses;  // at least one
};

// Translates texts of any length, one result each, in order. What lies between sentences (white space, line breaks,
// list bullets) is copied. A sentence that is nothing but unknown tokens is copied, too. Sentences that occur more than
// once are translated once. `progress` counts different sentences. Throws as Translator::translate(), unsupported for a
// model without tokenizer, and invalid_argument for invalid UTF-8, naming text and byte offset, and for a
// target_language that the model has no code for.
std::vector<TextResult> translate_texts(Translator& translator, std::span<const Text> texts,
                                        const TextOptions& text_options, const TranslateOptions& options,
                                        const Progress& progress = {});

}  // namespace dragoman::translate
