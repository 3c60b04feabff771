// SPDX-License-Identifier: Apache-2.0
#include "pipeline/recorded.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace dragoman::test {

using nlohmann::json;
using pipeline::Tokens;

pipeline::TranslateOptions options_from_json(const json& options) {
    pipeline::TranslateOptions o;
    for (const auto& [key, value] : options.items()) {
        if (key == "beam_size") o.beam_size = value.get<uint32_t>();
        else if (key == "patience") o.patience = value;
        else if (key == "length_penalty") o.length_penalty = value.get<float>();
        else if (key == "word_penalty") o.word_penalty = value.get<float>();
        else if (key == "coverage_penalty") o.coverage_penalty = value;
        else if (key == "repetition_penalty") o.repetition_penalty = value.get<float>();
        else if (key == "no_repeat_ngram_size") o.no_repeat_ngram_size = value.get<uint32_t>();
        else if (key == "disable_unk") o.disable_unk = value;
        else if (key == "suppress_sequences") o.suppress_sequences = value.get<std::vector<Tokens>>();
        else if (key == "prefix_bias_beta") o.prefix_bias_beta = value;
        else if (key == "end_token" && value.is_string()) o.end_tokens = {value.get<std::string>()};
        else if (key == "end_token") o.end_tokens = value.get<Tokens>();
        else if (key == "return_end_token") o.return_end_token = value;
        else if (key == "max_input_length") o.max_input_length = value;
        else if (key == "max_decoding_length") o.max_decoding_length = value.get<uint32_t>();
        else if (key == "min_decoding_length") o.min_decoding_length = value.get<uint32_t>();
        else if (key == "num_hypotheses") o.num_hypotheses = value;
        else if (key == "return_attention") o.return_attention = value;
        else if (key == "return_alternatives") o.return_alternatives = value;
        else if (key == "min_alternative_expansion_prob") o.min_alternative_expansion_prob = value;
        else if (key == "replace_unknowns") o.replace_unknowns = value;
        else if (key == "early_stopping" && value == "off") o.early_stopping = spec::EarlyStopping::off;
        else if (key == "early_stopping" && value == "on") o.early_stopping = spec::EarlyStopping::on;
        else if (key == "early_stopping" && value == "never") o.early_stopping = spec::EarlyStopping::never;
        else throw std::runtime_error("unknown option in recorded case: " + key);
    }
    o.return_scores = true;
    return o;
}

pipeline::Tokens source_tokens(const pipeline::Model& model, std::string_view text) {
    const auto prompt = model.prompt({}, {});
    Tokens tokens(prompt->source_before.begin() + model.add_source_bos(), prompt->source_before.end());
    std::ranges::copy(model.tokenize(text).tokens, std::back_inserter(tokens));
    tokens.insert(tokens.end(), prompt->source_after.begin(), prompt->source_after.end() - model.add_source_eos());
    return tokens;
}

Recorded read_recorded(const std::string& model_directory, const std::string& name) {
    std::ifstream file(std::filesystem::path(model_directory) / name);
    const json document = json::parse(file);
    Recorded recorded;
    for (const json& entry : document.at("cases")) {
        RecordedCase c{.name = entry.at("name"),
                       .requests = {},
                       .options = options_from_json(entry.at("options")),
                       .expected = {}};
        const json& prefixes = entry.at("target_prefix");
        for (std::size_t i = 0; i < entry.at("source").size(); ++i) {
            c.requests.push_back({entry.at("source")[i].get<Tokens>(), {}});
            if (!prefixes.is_null() && !prefixes[i].is_null())
                c.requests.back().target_prefix = prefixes[i].get<Tokens>();
        }
        for (const json& result : entry.at("expected")) {
            RecordedHypotheses e{.tokens = result.at("hypotheses").get<std::vector<Tokens>>(),
                                 .scores = result.at("scores").get<std::vector<float>>(),
                                 .attention = {}};
            if (!result.at("attention").is_null()) result.at("attention").get_to(e.attention);
            c.expected.push_back(std::move(e));
        }
        recorded.cases.push_back(std::move(c));
    }
    for (const json& entry : document.at("score"))
        recorded.scores.push_back({{entry.at("source").get<Tokens>(), entry.at("target").get<Tokens>()},
                                   entry.at("log_probs").get<std::vector<float>>()});
    if (document.contains("apart")) {
        recorded.scores_apart = document["apart"].at("scores");
        recorded.log_probs_apart = document["apart"].at("log_probs");
    }
    if (document.contains("texts"))
        for (const json& entry : document["texts"])
            recorded.texts.push_back({entry.at("text"), entry.at("pieces").get<Tokens>(),
                                      entry.at("translation").get<std::string>()});
    return recorded;
}

std::vector<std::string> recorded_models(const std::string& below) {
    std::vector<std::string> models;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(DRAGOMAN_TEST_DATA) / below))
        if (std::filesystem::exists(entry.path() / "expected.json")) models.push_back(entry.path().string());
    std::ranges::sort(models);
    return models;
}

}  // namespace dragoman::test
