// SPDX-License-Identifier: Apache-2.0
#include "spec/ensemble.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/error.h"
#include "base/os/path_text.h"

namespace dragoman::spec {
namespace {

using Tokens = std::vector<std::string>;

void expect(const ModelSpec& spec, const ModelSpec& other, const char* what, const auto& expected, const auto& found) {
    if (expected == found) return;
    fail(Status::invalid_argument, "{}: {}: expected \"{}\" as in {}, the model has \"{}\"", text_of(other.path), what,
         expected, text_of(spec.path), found);
}

void expect_tokens(const ModelSpec& spec, const ModelSpec& other, const char* what, const Tokens& expected,
                   const Tokens& found) {
    const auto [a, b] = std::ranges::mismatch(expected, found);
    if (a == expected.end() && b == found.end()) return;
    const auto shown = [](const Tokens& tokens, auto at) {
        return at == tokens.end() ? "no token" : fmt::format("\"{}\"", *at);
    };
    fail(Status::invalid_argument, "{}: {}: expected {} as token {} as in {}, the model has {}", text_of(other.path),
         what, shown(expected, a), a - expected.begin(), text_of(spec.path), shown(found, b));
}

}  // namespace

void add_member(ModelSpec& spec, Member member, Status status) {
    const auto check = [&](const char* side, uint32_t expected, uint32_t found) {
        if (expected != found)
            fail(status, "{}: expected a {} vocabulary of {} tokens as in {}, the model has {}", member.name, side,
                 expected, text_of(spec.path), found);
    };
    check("source", spec.config.source_vocabulary, member.config.source_vocabulary);
    check("target", spec.config.target_vocabulary, member.config.target_vocabulary);
    spec.ensemble.others.push_back(std::move(member));
}

void add_model(ModelSpec& spec, ModelSpec other) {
    if (other.ensemble.used())
        fail(Status::unsupported, "{}: expected one network, the model has {} of its own with weights",
             text_of(other.path), other.ensemble.others.size() + 1);
    for (const ModelSpec* each : {&spec, &other})
        if (each->config.decoder.layers == 0)
            fail(Status::unsupported, "{}: expected a model that translates, {} is an encoder-only model",
                 text_of(each->path), each->family);
    add_member(spec, {text_of(other.path), other.config, std::move(other.weights), other.recurrent},
               Status::invalid_argument);
    expect_tokens(spec, other, "source vocabulary", spec.source.tokens, other.source.tokens);
    expect_tokens(spec, other, "target vocabulary", spec.target.tokens, other.target.tokens);
    expect(spec, other, "unknown token", spec.unk_token, other.unk_token);
    expect(spec, other, "end token", spec.eos_token, other.eos_token);
    const auto start = [](const ModelSpec& model) { return model.decoder_start_token.value_or("none"); };
    expect(spec, other, "decoder start token", start(spec), start(other));
    expect(spec, other, "end token of sources", spec.add_source_eos, other.add_source_eos);
    expect(spec, other, "first token of sources", spec.add_source_bos, other.add_source_bos);
    expect(spec, other, "end token of texts", spec.add_text_eos, other.add_text_eos);
    expect(spec, other, "right to left", spec.right_to_left, other.right_to_left);
    spec.file_bytes += other.file_bytes;
    std::ranges::move(other.owners, std::back_inserter(spec.owners));
}

void set_weights(ModelSpec& spec, std::span<const float> weights, const std::string& where, Status status) {
    const std::size_t networks = spec.ensemble.others.size() + 1;
    if (!weights.empty() && weights.size() != networks)
        fail(status, "{}: expected {} numbers, one for each model, got {}", where, networks, weights.size());
    for (const float weight : weights)
        if (!(weight > 0.0f) || !std::isfinite(weight))
            fail(status, "{}: expected finite numbers above 0, got {}", where, weight);
    const bool all_one = std::ranges::all_of(weights, [](float weight) { return weight == 1.0f; });
    spec.ensemble.weights.assign(weights.begin(), all_one ? weights.begin() : weights.end());
}

}  // namespace dragoman::spec
