// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "decode/search.h"
#include "pipeline/model/model.h"
#include "pipeline/model/options.h"
#include "spec/language_tag.h"
#include "spec/search_defaults.h"

namespace dragoman::engine {
struct SearchOptions;
}

namespace dragoman::pipeline {

// Throws unsupported for an encoder-only model.
void check_translates(const Model& model);

// Default search rules; nullopt for encoder-only models.
std::optional<decode::SearchRules> usual_rules(const Model& model);

// How a call or job translates: its options, checked and resolved for one model, which must outlive the plan. Throws
// invalid_argument, and unsupported for texts when the model has no tokenizer.
struct Plan {
    enum class Inputs { texts, tokens };
    Plan(const Model& model, Inputs inputs, TextOptions text, TranslateOptions decoding);
    bool aligns() const { return inputs == Inputs::texts && text.return_alignment; }
    bool judges() const { return inputs == Inputs::texts && text.return_quality; }
    // Whether hypotheses keep attention until their sentence is finished.
    bool keeps_attention() const { return decoding.return_attention || aligns() || judges(); }
    bool keeps_ranges() const { return inputs == Inputs::tokens || text.return_tokens || aligns() || judges(); }
    // Each sentence's language is found in the text (source_language "auto").
    bool finds_language() const { return text.source_language == kAutomatic; }
    // The options' language; where it is found in the text, the first that is not the target.
    std::string source_language() const;
    engine::SearchOptions search_options(int priority, bool partial) const;

    const Model& model;
    const Inputs inputs;
    TextOptions text;
    TranslateOptions decoding;
    spec::SearchDefaults search;
    decode::SearchRules rules;
    // terms of the glossary; on a route the first model finds them and the last one gives them
    bool finds_terms = true, gives_terms = true;
    bool returns_alignment = false;  // returned to the caller; markup needs it in any case
    const spec::Shortlist* shortlist = nullptr;
    // Whether segments of a memory are looked up, and in which languages; unknown: any source, no target.
    bool uses_segments = false;
    spec::LanguageTag matched_source{}, matched_target{};
    std::shared_ptr<const spec::Prompt> prompt{};  // for the languages that the options name
};

}  // namespace dragoman::pipeline
