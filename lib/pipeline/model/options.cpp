// SPDX-License-Identifier: Apache-2.0
#include "pipeline/model/options.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "decode/search.h"
#include "pipeline/model/model.h"
#include "pipeline/model/model_info.h"
#include "spec/search_defaults.h"
#include "text/vocabulary.h"

// Files that end in .inc are generated from capi/options.json: the same lines for each of its rows.
namespace dragoman::pipeline {

namespace {

void expect(bool condition, std::string_view option, auto value, std::string_view allowed) {
    if (!condition) fail(Status::invalid_argument, "{}: {} is not allowed; expected {}", option, value, allowed);
}

uint32_t known_id(const text::Vocabulary& vocabulary, const std::string& token, std::string_view option) {
    const auto id = vocabulary.find(token);
    if (!id) fail(Status::invalid_argument, "{}: token \"{}\" is not in the target vocabulary", option, token);
    return *id;
}

// Checks options that only one engine's search has.
void check_style(const TranslateOptions& o, const spec::SearchDefaults& search) {
    const auto only = [](bool condition, std::string_view option, auto value, std::string_view allowed,
                         std::string_view style) {
        if (!condition)
            fail(Status::invalid_argument, "{}: {} needs the search of {}; expected {}", option, value, style, allowed);
    };
#include "pipeline/model/style_checks.inc"
}

void check_sampling(const TranslateOptions& o, const spec::SearchDefaults& search) {
    if (search.sampling == spec::Sampling::off) {
        const auto needs = [](bool is_default, std::string_view option, auto value, std::string_view expected) {
            if (!is_default)
                fail(Status::invalid_argument, "{}: {} needs sampling on, which is off; expected {}", option, value,
                     expected);
        };
#include "pipeline/model/sampling_needs.inc"
        return;
    }
#include "pipeline/model/sampling_checks.inc"
    expect(search.beam_size == 1, "beam_size", search.beam_size, "1 with sampling");
    expect(o.prefix_bias_beta == 0, "prefix_bias_beta", o.prefix_bias_beta, "0 with sampling");
    if (o.return_alternatives)
        fail(Status::invalid_argument, "return_alternatives: 1 cannot be combined with sampling; expected 0");
}

void check(const TranslateOptions& o, const spec::SearchDefaults& search) {
#include "pipeline/model/decoding_checks.inc"
    if (search.min_length > search.max_length)
        fail(Status::invalid_argument, "min_decoding_length: {} is more than max_decoding_length, {}",
             search.min_length, search.max_length);
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
    if (o.sampling.value_or(search.sampling) == spec::Sampling::on) search.beam_size = 1;
#include "pipeline/model/decoding_resolve.inc"
    if (o.max_decoding_length) search.max_total = 0;
    if (o.min_decoding_length) search.min_total = 0;
    if (!o.min_decoding_length) search.min_length = std::min(search.min_length, search.max_length);
    check(o, search);
    return search;
}

void check_text(const TextOptions& o) {
#include "pipeline/model/text_checks.inc"
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
    const std::set<uint32_t> ends(rules.end_ids.begin(), rules.end_ids.end());
    if (ends.size() >= target.size())
        fail(Status::invalid_argument,
             "end_tokens: expected fewer than the {} tokens of the vocabulary, got all of them", target.size());
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
