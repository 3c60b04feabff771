// SPDX-License-Identifier: Apache-2.0
#include "pipeline/model/token_ids.h"

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"
#include "engine/replicas.h"
#include "pipeline/model/options.h"
#include "spec/prompt.h"
#include "text/vocabulary.h"

namespace dragoman::pipeline {

namespace {

void append_ids(std::vector<uint32_t>& ids, const text::Vocabulary& vocabulary, const Tokens& tokens,
                std::string_view side, std::size_t input) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (const auto bad = first_invalid_utf8(tokens[i]))
            fail(Status::invalid_argument, "request {}: {} token {} is not valid UTF-8 at byte {}", input, side, i,
                 *bad);
        ids.push_back(vocabulary.id(tokens[i]));
    }
}

void cut(std::vector<uint32_t>& ids, uint32_t max_length, uint32_t eos) {
    if (max_length == 0 || ids.size() <= max_length) return;
    const std::size_t n = ids.size();
    if (ids[n - 1] == eos) {
        ids[max_length - 1] = eos;
    } else if (ids[n - 2] == eos && max_length >= 2) {
        ids[max_length - 2] = eos;
        ids[max_length - 1] = ids[n - 1];
    }
    ids.resize(max_length);
}

}  // namespace

std::vector<uint32_t> source_ids(const Model& model, const Tokens& source, uint32_t max_length, std::size_t input) {
    const text::Vocabulary& vocabulary = model.source();
    std::vector<uint32_t> ids;
    if (model.add_source_bos()) ids.push_back(vocabulary.id(model.bos_token()));
    append_ids(ids, vocabulary, source, "source", input);
    // Models that write from right to left read in that direction, too.
    if (model.right_to_left()) std::ranges::reverse(ids.begin() + (model.add_source_bos() ? 1 : 0), ids.end());
    if (model.add_source_eos()) ids.push_back(vocabulary.id(model.eos_token()));
    cut(ids, max_length, vocabulary.id(model.eos_token()));
    const uint32_t limit = model.replicas()->info().max_source_positions;
    if (ids.size() > limit)
        fail(Status::invalid_argument, "request {}: source has {} tokens, the model has positions for {}", input,
             ids.size(), limit);
    return ids;
}

std::vector<uint32_t> beginning_ids(const Model& model, const Tokens& beginning, std::size_t input) {
    const text::Vocabulary& vocabulary = model.target();
    std::vector<uint32_t> ids;
    if (const auto& start = model.decoder_start_token()) ids.push_back(vocabulary.id(*start));
    append_ids(ids, vocabulary, beginning, "source", input);
    if (ids.empty()) ids.push_back(vocabulary.id(model.bos_token()));
    const uint32_t limit = model.replicas()->info().max_target_positions;
    if (ids.size() > limit)
        fail(Status::invalid_argument, "request {}: the text has {} tokens, the model has positions for {}", input,
             ids.size(), limit);
    return ids;
}

std::vector<uint32_t> target_ids(const Model& model, const Tokens& target, bool add_eos, uint32_t max_length,
                                 std::size_t input) {
    const text::Vocabulary& vocabulary = model.target();
    std::vector<uint32_t> ids;
    const auto& start = model.decoder_start_token();
    if (start && !model.continues()) ids.push_back(vocabulary.id(*start));
    append_ids(ids, vocabulary, target, "target", input);
    if (ids.empty() && !model.continues())
        fail(Status::invalid_argument, "request {}: this model needs its decoder start token as first target token",
             input);
    if (add_eos) ids.push_back(vocabulary.id(model.eos_token()));
    cut(ids, max_length, vocabulary.id(model.eos_token()));
    return ids;
}

std::size_t forced_tokens(const Model& model, const spec::Prompt& prompt) {
    const bool starts = !model.decoder_start_token() && !prompt.target_begin.empty();
    return prompt.target_begin.size() - starts;
}

}  // namespace dragoman::pipeline
