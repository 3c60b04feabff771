// SPDX-License-Identifier: Apache-2.0
#include "pipeline/model/plan.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "engine/replicas.h"
#include "engine/search_options.h"
#include "pipeline/model/model_info.h"
#include "spec/language_names.h"
#include "spec/prompt.h"

namespace dragoman::pipeline {

namespace {

// Refuses options that do not apply to a decoder-only model.
void check_continuing(const Model& model, const TextOptions& text, const TranslateOptions& decoding) {
    const auto only = [&](bool allowed, std::string_view option, auto value, std::string_view expected) {
        if (!allowed)
            fail(Status::invalid_argument,
                 "{}: {} is not allowed: {} is a decoder-only model, which continues texts; "
                 "expected {}",
                 option, value, model.info().path, expected);
    };
#include "pipeline/model/continuing_checks.inc"
}

void check_terms(const Model& model, const TranslateOptions& decoding, const decode::SearchRules& rules) {
    const auto refuse = [](const char* why) { fail(Status::unsupported, "terms: {}", why); };
    if (model.continues()) refuse("expected a model that translates, this one continues texts");
    if (decoding.return_alternatives) refuse("cannot be combined with return_alternatives");
    decode::with_terms(rules);
}

// The given language, or the only one.
spec::LanguageTag language_of(const std::string& said, const std::vector<spec::Language>& of_model) {
    if (said.empty()) return of_model.size() == 1 ? of_model.front().tag : spec::LanguageTag();
    for (const spec::Language& language : of_model)
        if (language.code == said) return language.tag;
    return spec::LanguageTag::find(said).value_or(spec::LanguageTag());
}

// A name of a language becomes its tag, unless the model calls it so.
void read_name(std::string& said, const std::vector<spec::Language>& of_model) {
    const bool own = std::ranges::any_of(of_model, [&](const auto& language) { return language.code == said; });
    if (!own) said = spec::code_of_language(said);
}

void check_quality(const TextOptions& text) {
    const float marks = text.quality_marks;
    if (marks > 0 && text.markup != Markup::html)
        fail(Status::invalid_argument, "quality_marks: {} needs markup html, it is {}", marks,
             text.markup == Markup::xml ? "xml" : "none");
}

}  // namespace

void check_translates(const Model& model) {
    if (model.encoder_alone())
        fail(Status::unsupported,
             "{}: expected a model that translates, {} is an encoder-only model; it gives vectors "
             "(dragoman embed, dragoman_embed_texts())",
             model.info().path, model.info().family);
}

std::optional<decode::SearchRules> usual_rules(const Model& model) try {
    if (model.encoder_alone()) return std::nullopt;
    return Plan(model, Plan::Inputs::tokens, {}, {}).rules;
} catch (const Error&) {
    return std::nullopt;  // the model needs options
}

Plan::Plan(const Model& of_model, Inputs given, TextOptions text_options, TranslateOptions options)
    : model(of_model), inputs(given), text(std::move(text_options)), decoding(std::move(options)) {
    check_translates(model);
    if (inputs == Inputs::texts && !model.info().has_tokenizer)
        fail(Status::unsupported, "{}: the model has no tokenizer; it takes and gives tokens, not text",
             model.info().path);
    check_text(text);
    check_quality(text);
    const spec::Languages& languages = model.info().languages;
    if (!finds_language()) read_name(text.source_language, languages.source);
    read_name(text.target_language, languages.target);
    text.return_quality |= text.quality_marks > 0 || text.min_quality > 0;
    text.return_coverage |= text.max_uncovered_words > 0;
    text.return_alignment |= text.return_coverage;
    if (model.continues()) check_continuing(model, text, decoding);
    check_attention(decoding, model.info());
    returns_alignment = text.return_alignment;
    if (text.markup != Markup::none) text.return_alignment = true;
    search = resolve(decoding, model.search());
    rules = search_rules(decoding, search, model.target(), model.eos_token());
    rules.attention |= aligns() || judges();
    rules.certainty = judges();
    std::ranges::copy(model.never_generated(), std::back_inserter(rules.suppressed));
    rules.kinds = model.token_kinds();
    if (text.glossary || text.keep_spans) check_terms(model, decoding, rules);
    shortlist = decoding.use_shortlist ? model.shortlist() : nullptr;
    if (decoding.use_shortlist && !shortlist)
        fail(Status::invalid_argument, "use_shortlist: {} has no shortlist", model.info().path);
    if (shortlist && model.replicas()->info().log_probabilities)
        fail(Status::unsupported, "use_shortlist: {}: expected 1 network, the model is an ensemble of {}",
             model.info().path, model.info().networks);
    if (inputs == Inputs::texts) prompt = model.prompt(source_language(), text.target_language);
    uses_segments = text.memory && inputs == Inputs::texts && !model.continues();
    matched_source = finds_language() ? spec::LanguageTag() : language_of(text.source_language, languages.source);
    matched_target = language_of(text.target_language, languages.target);
}

std::string Plan::source_language() const {
    if (!finds_language()) return text.source_language;
    const spec::Languages& languages = model.info().languages;
    if (languages.source.empty())
        fail(Status::invalid_argument,
             "source_language: auto: expected a model that names its languages, {} names 0; "
             "give a language",
             model.info().path);
    const spec::Language* to = languages.find_target(text.target_language);
    for (const spec::Language& language : languages.source)
        if (!to || language.tag.language() != to->tag.language()) return language.code;
    return languages.source.front().code;
}

engine::SearchOptions Plan::search_options(int priority, bool partial) const {
    return {.rules = rules,
            .max_batch_size = decoding.max_batch_size,
            .max_batch_tokens = decoding.max_batch_tokens,
            .length_penalty = search.length_penalty,
            .word_penalty = search.word_penalty,
            .coverage_penalty = decoding.coverage_penalty,
            .num_hypotheses = decoding.num_hypotheses,
            .alternatives = decoding.return_alternatives,
            .min_alternative_expansion_prob = decoding.min_alternative_expansion_prob,
            .priority = priority,
            .partial = partial};
}

}  // namespace dragoman::pipeline
