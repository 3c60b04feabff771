// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "pipeline/run/translator.h"
#include "recall/memory.h"
#include "text/glossary.h"

struct dragoman_device {
    std::shared_ptr<dragoman::engine::Device> device;
};

struct dragoman_model {
    std::shared_ptr<const dragoman::pipeline::Model> model;
};

struct dragoman_glossary {
    std::shared_ptr<const dragoman::text::Glossary> terms;
};

struct dragoman_memory {
    std::shared_ptr<dragoman::recall::Memory> memory;
};

struct dragoman_translator {
    std::shared_ptr<dragoman::pipeline::Translator> translator;
};

namespace dragoman::capi {

// Tokens with the views that the C API lends out.
class TokenList {
public:
    explicit TokenList(std::vector<std::string> tokens) : tokens_(std::move(tokens)) {
        views_.reserve(tokens_.size());
        for (const std::string& token : tokens_) views_.push_back({token.c_str(), token.size()});
    }
    TokenList(TokenList&&) noexcept = default;  // a copy's views would point into the original
    TokenList& operator=(TokenList&&) noexcept = default;

    dragoman_tokens view() const { return {views_.data(), views_.size()}; }

private:
    std::vector<std::string> tokens_;
    std::vector<dragoman_string> views_;
};

using Ranges = std::vector<dragoman_range>;

struct Matrix {
    std::vector<float> values;
    std::size_t rows = 0, cols = 0;
};

// Where a sentence is on one side: bytes of the text, and tokens in the list of all of them.
struct SentenceSide {
    std::size_t begin, end, token_begin, token_end;
};

struct SourceSentence : SentenceSide {
    std::string language;
    float language_probability;
    uint32_t flags;
    std::vector<recall::Match> matches;
};

struct TargetSentence {
    SentenceSide place;
    float score;
    Matrix attention;
    Ranges source_words, target_words;
    Matrix alignment;
    std::vector<pipeline::TermUse> terms;
    float quality = 0.0f;
    Matrix word_quality{};
};

struct Hypothesis {
    TokenList tokens;
    Ranges ranges;  // of the tokens, in the text
    std::string text;
    float score;
    Matrix attention;                       // of an input of tokens
    std::vector<TargetSentence> sentences;  // of a text
    std::string pharaoh{};                  // the alignment of all sentences
    std::string plain{};                    // of markup
    float quality = 0.0f;
};

struct Input {
    TokenList source;
    Ranges source_ranges;
    std::vector<Hypothesis> hypotheses;
    std::vector<SourceSentence> sentences;  // of a text
    std::string plain_source{};             // of markup
};

// The translator; throws where this call would wait for it in one of its own callbacks.
pipeline::Translator& waitable(const dragoman_translator* translator);

std::unique_ptr<dragoman_result> make_result(const pipeline::Model& model, std::vector<pipeline::Tokens> sources,
                                             std::vector<pipeline::Result> results);
std::unique_ptr<dragoman_result> make_result(std::vector<pipeline::TextResult> results);

struct Score {
    TokenList tokens;
    std::vector<float> log_probs;
    Ranges ranges;
};

}  // namespace dragoman::capi

struct dragoman_result {
    bool has_text = false;
    std::size_t first = 0;
    std::vector<dragoman::capi::Input> inputs{};
};

struct dragoman_report {
    std::string json;
};

struct dragoman_scores {
    std::vector<dragoman::capi::Score> pairs;
};
