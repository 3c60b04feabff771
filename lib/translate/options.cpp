// SPDX-License-Identifier: Apache-2.0
#include "translate/options.h"

#include <cmath>

#include "base/error.h"

namespace dragoman::translate {

namespace {

constexpr uint32_t kMaxDecodingLength = 4096;

void expect(bool condition, std::string_view option, auto value, std::string_view allowed) {
    if (!condition) fail(Status::invalid_argument, "{}: {} is not allowed; expected {}", option, value, allowed);
}

uint32_t known_id(const text::Vocabulary& vocabulary, const std::string& token, std::string_view option) {
    const auto id = vocabulary.find(token);
    if (!id) fail(Status::invalid_argument, "{}: token \"{}\" is not in the target vocabulary", option, token);
    return *id;
}

}  // namespace

void check(const TranslateOptions& o, const ModelInfo& model) {
    if (o.attention_layer > model.decoder_layers)
        fail(Status::invalid_argument, "attention_layer: {}, the decoder has {} layers", o.attention_layer,
             model.decoder_layers);
    if (o.attention_head > model.decoder_heads && o.attention_head != kAllHeads)
        fail(Status::invalid_argument, "attention_head: {}, the decoder has {} heads", o.attention_head,
             model.decoder_heads);
    expect(o.beam_size >= 1 && o.beam_size <= decode::kMaxBeam, "beam_size", o.beam_size, "1 to 64");
    expect(o.patience > 0 && o.patience <= 64, "patience", o.patience, "more than 0, at most 64");
    expect(std::isfinite(o.length_penalty), "length_penalty", o.length_penalty, "a finite number");
    expect(std::isfinite(o.coverage_penalty), "coverage_penalty", o.coverage_penalty, "a finite number");
    expect(o.repetition_penalty > 0 && std::isfinite(o.repetition_penalty), "repetition_penalty", o.repetition_penalty,
           "a finite number above 0");
    expect(o.prefix_bias_beta >= 0 && o.prefix_bias_beta < 1, "prefix_bias_beta", o.prefix_bias_beta,
           "0 or more, below 1");
    expect(o.max_decoding_length >= 1 && o.max_decoding_length <= kMaxDecodingLength, "max_decoding_length",
           o.max_decoding_length, "1 to 4096");
    if (o.min_decoding_length > o.max_decoding_length)
        fail(Status::invalid_argument, "min_decoding_length: {} is more than max_decoding_length, {}",
             o.min_decoding_length, o.max_decoding_length);
    expect(o.num_hypotheses >= 1 && o.num_hypotheses <= 4096, "num_hypotheses", o.num_hypotheses, "1 to 4096");
    expect(o.min_alternative_expansion_prob >= 0 && o.min_alternative_expansion_prob <= 1,
           "min_alternative_expansion_prob", o.min_alternative_expansion_prob, "0 to 1");
    if (o.return_alternatives) {
        expect(o.num_hypotheses <= decode::kMaxBeam, "num_hypotheses", o.num_hypotheses,
               "1 to 64 with return_alternatives");
        if (o.prefix_bias_beta > 0)
            fail(Status::invalid_argument, "prefix_bias_beta: {} cannot be combined with return_alternatives",
                 o.prefix_bias_beta);
    } else if (const auto most = std::lround(float(o.beam_size) * o.patience); long(o.num_hypotheses) > most) {
        fail(Status::invalid_argument, "num_hypotheses: {} is more than beam_size x patience, {}", o.num_hypotheses,
             most);
    }
}

decode::SearchRules search_rules(const TranslateOptions& o, const text::Vocabulary& target,
                                 const std::string& eos_token) {
    decode::SearchRules rules{.beam_size = o.beam_size,
                              .patience = o.patience,
                              .early_exit = o.length_penalty == 0 && o.coverage_penalty == 0,
                              .num_hypotheses = o.num_hypotheses,
                              .repetition_penalty = o.repetition_penalty,
                              .no_repeat_ngram_size = o.no_repeat_ngram_size,
                              .prefix_bias_beta = o.prefix_bias_beta,
                              .attention = o.return_attention || o.replace_unknowns || o.coverage_penalty != 0,
                              .attention_of = {.layer = o.attention_layer, .head = o.attention_head}};
    for (const std::string& token : o.end_tokens) rules.end_ids.push_back(known_id(target, token, "end_tokens"));
    if (rules.end_ids.empty()) rules.end_ids.push_back(target.id(eos_token));
    if (o.disable_unk) rules.suppressed.push_back({target.unk_id()});
    for (const Tokens& sequence : o.suppress_sequences) {
        std::vector<uint32_t> ids;
        for (const std::string& token : sequence) ids.push_back(known_id(target, token, "suppress_sequences"));
        if (!ids.empty()) rules.suppressed.push_back(std::move(ids));
    }
    return rules;
}

}  // namespace dragoman::translate
