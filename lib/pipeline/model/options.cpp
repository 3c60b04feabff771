// SPDX-License-Identifier: Apache-2.0
#include "pipeline/model/options.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "decode/search.h"
#include "pipeline/model/model.h"
#include "pipeline/model/model_info.h"
#include "spec/search_defaults.h"
#include "text/vocabulary.h"

namespace dragoman::pipeline {

namespace {

constexpr uint32_t kMaxDecodingLength = 4096;
constexpr uint32_t kMostTopK = 1u << 26;  // more than any vocabulary has

void expect(bool condition, std::string_view option, auto value, std::string_view allowed) {
    if (!condition) fail(Status::invalid_argument, "{}: {} is not allowed; expected {}", option, value, allowed);
}

uint32_t known_id(const text::Vocabulary& vocabulary, const std::string& token, std::string_view option) {
    const auto id = vocabulary.find(token);
    if (!id) fail(Status::invalid_argument, "{}: token \"{}\" is not in the target vocabulary", option, token);
    return *id;
}

// What only one engine's search has.
void check_style(const TranslateOptions& o, const spec::SearchDefaults& search) {
    const auto only = [](bool condition, std::string_view option, auto value, std::string_view allowed,
                         std::string_view style) {
        if (!condition)
            fail(Status::invalid_argument, "{}: {} needs the search of {}; expected {}", option, value, style, allowed);
    };
    if (search.style != spec::SearchStyle::ctranslate2) {
        only(o.patience == 1, "patience", o.patience, "1", "ctranslate2");
        only(o.coverage_penalty == 0, "coverage_penalty", o.coverage_penalty, "0", "ctranslate2");
        only(o.prefix_bias_beta == 0, "prefix_bias_beta", o.prefix_bias_beta, "0", "ctranslate2");
    }
    if (search.style != spec::SearchStyle::marian)
        only(search.word_penalty == 0, "word_penalty", search.word_penalty, "0", "marian");
    if (search.style != spec::SearchStyle::huggingface)
        only(!o.early_stopping, "early_stopping", int(search.early_stopping), "no value", "huggingface");
}

void check_sampling(const TranslateOptions& o, const spec::SearchDefaults& search) {
    if (o.sampling)
        expect(*o.sampling == spec::Sampling::off || *o.sampling == spec::Sampling::on, "sampling", int(*o.sampling),
               "1 to 2");
    if (search.sampling == spec::Sampling::off) {
        const auto needs = [](bool is_set, std::string_view option, auto value, std::string_view expected) {
            if (is_set)
                fail(Status::invalid_argument, "{}: {} needs sampling on, which is off; expected {}", option, value,
                     expected);
        };
        needs(bool(o.temperature), "temperature", search.temperature, "it not set");
        needs(bool(o.top_k), "top_k", search.top_k, "it not set");
        needs(bool(o.top_p), "top_p", search.top_p, "it not set");
        needs(bool(o.min_p), "min_p", search.min_p, "it not set");
        needs(o.seed != 0, "seed", o.seed, "0");
        return;
    }
    expect(search.temperature > 0 && search.temperature <= spec::kMostTemperature,
           "temperature", search.temperature, "more than 0, at most 1000");
    expect(search.top_k <= kMostTopK, "top_k", search.top_k, "0 to 67108864");
    expect(search.top_p >= 0 && search.top_p <= 1, "top_p", search.top_p, "0 to 1");
    expect(search.min_p >= 0 && search.min_p <= 1, "min_p", search.min_p, "0 to 1");
    expect(search.beam_size == 1, "beam_size", search.beam_size, "1 with sampling");
    expect(o.prefix_bias_beta == 0, "prefix_bias_beta", o.prefix_bias_beta, "0 with sampling");
    if (o.return_alternatives)
        fail(Status::invalid_argument, "return_alternatives: 1 cannot be combined with sampling; expected 0");
}

void check(const TranslateOptions& o, const spec::SearchDefaults& search) {
    if (o.search)
        expect(*o.search >= spec::SearchStyle::ctranslate2 && *o.search <= spec::SearchStyle::huggingface, "search",
               int(*o.search), "1 to 3");
    expect(search.beam_size >= 1 && search.beam_size <= decode::kMaxBeam, "beam_size", search.beam_size, "1 to 64");
    expect(o.patience > 0 && o.patience <= 64, "patience", o.patience, "more than 0, at most 64");
    expect(std::isfinite(search.length_penalty), "length_penalty", search.length_penalty, "a finite number");
    expect(std::isfinite(search.word_penalty), "word_penalty", search.word_penalty, "a finite number");
    expect(std::isfinite(o.coverage_penalty), "coverage_penalty", o.coverage_penalty, "a finite number");
    expect(search.repetition_penalty > 0 && std::isfinite(search.repetition_penalty), "repetition_penalty",
           search.repetition_penalty, "a finite number above 0");
    expect(search.no_repeat_ngram_size <= kMaxDecodingLength, "no_repeat_ngram_size", search.no_repeat_ngram_size,
           "0 to 4096");
    expect(o.prefix_bias_beta >= 0 && o.prefix_bias_beta < 1, "prefix_bias_beta", o.prefix_bias_beta,
           "0 or more, below 1");
    expect(search.max_length >= 1 && search.max_length <= kMaxDecodingLength, "max_decoding_length", search.max_length,
           "1 to 4096");
    expect(search.max_length_factor >= 0 && search.max_length_factor <= 1000, "max_length_factor",
           search.max_length_factor, "0 to 1000");
    if (search.min_length > search.max_length)
        fail(Status::invalid_argument, "min_decoding_length: {} is more than max_decoding_length, {}",
             search.min_length, search.max_length);
    expect(search.early_stopping >= spec::EarlyStopping::off && search.early_stopping <= spec::EarlyStopping::never,
           "early_stopping", int(search.early_stopping), "1 to 3");
    expect(o.num_hypotheses >= 1 && o.num_hypotheses <= 4096, "num_hypotheses", o.num_hypotheses, "1 to 4096");
    expect(o.min_alternative_expansion_prob >= 0 && o.min_alternative_expansion_prob <= 1,
           "min_alternative_expansion_prob", o.min_alternative_expansion_prob, "0 to 1");
    if (o.return_alternatives) {
        expect(o.num_hypotheses <= decode::kMaxBeam, "num_hypotheses", o.num_hypotheses,
               "1 to 64 with return_alternatives");
        if (o.prefix_bias_beta > 0)
            fail(Status::invalid_argument, "prefix_bias_beta: {} cannot be combined with return_alternatives",
                 o.prefix_bias_beta);
    } else if (const auto most = std::lround(float(search.beam_size) * o.patience);
               long(o.num_hypotheses) > most && search.sampling == spec::Sampling::off) {
        fail(Status::invalid_argument, "num_hypotheses: {} is more than beam_size x patience, {}", o.num_hypotheses,
             most);
    }
    check_style(o, search);
    check_sampling(o, search);
}

}  // namespace

spec::SearchDefaults resolve(const TranslateOptions& o, const spec::SearchDefaults& of_model) {
    spec::SearchDefaults search = of_model;
    if (o.search && *o.search != of_model.style) {
        search = spec::SearchDefaults::of(*o.search);
        search.beam_size = of_model.beam_size;
        search.more_ends = of_model.more_ends;
        search.replace_unknowns = of_model.replace_unknowns;
    }
    const auto set = [](auto& value, const auto& option) {
        if (option) value = *option;
    };
    set(search.sampling, o.sampling);
    if (search.sampling == spec::Sampling::on) search.beam_size = 1;
    set(search.beam_size, o.beam_size);
    set(search.temperature, o.temperature);
    set(search.top_k, o.top_k);
    set(search.top_p, o.top_p);
    set(search.min_p, o.min_p);
    set(search.length_penalty, o.length_penalty);
    set(search.word_penalty, o.word_penalty);
    set(search.early_stopping, o.early_stopping);
    set(search.repetition_penalty, o.repetition_penalty);
    set(search.no_repeat_ngram_size, o.no_repeat_ngram_size);
    search.replace_unknowns |= o.replace_unknowns;
    set(search.max_length, o.max_decoding_length);
    if (o.max_decoding_length) search.max_total = 0;
    if (o.min_decoding_length) search.min_total = 0;
    set(search.max_length_factor, o.max_length_factor);
    search.min_length = o.min_decoding_length.value_or(std::min(search.min_length, search.max_length));
    check(o, search);
    return search;
}

void check_attention(const TranslateOptions& o, const ModelInfo& model) {
    if (o.attention_layer > model.attention_layers)
        fail(Status::invalid_argument, "attention_layer: {}, the decoder has {} layers{}", o.attention_layer,
             model.attention_layers, model.attention_layers < model.decoder_layers ? " with attention" : "");
    if (o.attention_head > model.decoder_heads && o.attention_head != kAllHeads)
        fail(Status::invalid_argument, "attention_head: {}, the decoder has {} heads", o.attention_head,
             model.decoder_heads);
}

decode::SearchRules search_rules(const TranslateOptions& o, const spec::SearchDefaults& search,
                                 const text::Vocabulary& target, const std::string& eos_token) {
    const bool samples = search.sampling == spec::Sampling::on;
    decode::SearchRules rules{.style = search.style,
                              .beam_size = search.beam_size,
                              .patience = o.patience,
                              .early_exit = search.length_penalty == 0 && o.coverage_penalty == 0,
                              .num_hypotheses = samples ? 1 : o.num_hypotheses,
                              .length_penalty = search.length_penalty,
                              .early_stopping = search.early_stopping,
                              .renormalize = search.renormalize,
                              .repetition_penalty = search.repetition_penalty,
                              .no_repeat_ngram_size = search.no_repeat_ngram_size,
                              .prefix_bias_beta = o.prefix_bias_beta,
                              .attention = o.return_attention || search.replace_unknowns || o.coverage_penalty != 0,
                              .attention_of = {.layer = o.attention_layer, .head = o.attention_head},
                              .sampling = samples};
    if (search.forced_end) rules.forced_end = target.id(*search.forced_end);
    for (const std::string& token : o.end_tokens) rules.end_ids.push_back(known_id(target, token, "end_tokens"));
    if (rules.end_ids.empty()) {
        rules.end_ids.push_back(target.id(eos_token));
        for (const std::string& token : search.more_ends) rules.end_ids.push_back(target.id(token));
    }
    if (rules.candidates() > decode::kMaxCandidates)
        fail(Status::invalid_argument, "beam_size: {} with {} end_tokens needs {} continuations a step; at most {}",
             rules.beam_size, rules.end_ids.size(), rules.candidates(), decode::kMaxCandidates);
    if (o.disable_unk) rules.suppressed.push_back({target.unk_id()});
    for (const Tokens& sequence : o.suppress_sequences) {
        std::vector<uint32_t> ids;
        for (const std::string& token : sequence) ids.push_back(known_id(target, token, "suppress_sequences"));
        if (!ids.empty()) rules.suppressed.push_back(std::move(ids));
    }
    return rules;
}

}  // namespace dragoman::pipeline
