// SPDX-License-Identifier: Apache-2.0
#include "translate/inputs.h"

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"

namespace dragoman::translate {

namespace {

void append_ids(std::vector<uint32_t>& ids, const text::Vocabulary& vocabulary, const Tokens& tokens,
                std::string_view side, std::size_t request) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (const auto bad = first_invalid_utf8(tokens[i]))
            fail(Status::invalid_argument, "request {}: {} token {} is not valid UTF-8 at byte {}", request, side, i,
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

std::vector<uint32_t> source_ids(const LoadedModel& model, const Tokens& source, uint32_t max_length,
                                 std::size_t request) {
    const text::Vocabulary& vocabulary = model.source();
    std::vector<uint32_t> ids;
    if (model.add_source_bos()) ids.push_back(vocabulary.id(model.bos_token()));
    append_ids(ids, vocabulary, source, "source", request);
    // Models that write right to left read so too.
    if (model.right_to_left()) std::ranges::reverse(ids.begin() + (model.add_source_bos() ? 1 : 0), ids.end());
    if (model.add_source_eos()) ids.push_back(vocabulary.id(model.eos_token()));
    cut(ids, max_length, vocabulary.id(model.eos_token()));
    const uint32_t limit = model.network()->info().max_source_positions;
    if (ids.size() > limit)
        fail(Status::invalid_argument, "request {}: source has {} tokens, the model has positions for {}", request,
             ids.size(), limit);
    return ids;
}

std::vector<uint32_t> target_ids(const LoadedModel& model, const Tokens& target, bool add_eos, uint32_t max_length,
                                 std::size_t request) {
    const text::Vocabulary& vocabulary = model.target();
    std::vector<uint32_t> ids;
    if (const auto& start = model.decoder_start_token()) ids.push_back(vocabulary.id(*start));
    append_ids(ids, vocabulary, target, "target", request);
    if (ids.empty())
        fail(Status::invalid_argument, "request {}: this model needs its decoder start token as first target token",
             request);
    if (add_eos) ids.push_back(vocabulary.id(model.eos_token()));
    cut(ids, max_length, vocabulary.id(model.eos_token()));
    return ids;
}

bool has_content(const LoadedModel& model, const Tokens& source) {
    const std::string& bos = model.bos_token();
    const std::string& eos = model.eos_token();
    const std::size_t n = source.size();
    if (n == 0) return false;
    if (n == 1) return source[0] != bos && source[0] != eos;
    std::size_t special = source[0] == bos ? 1 : 0;
    if (source[n - 1] == eos) special += 1;
    else if (source[n - 2] == eos) special += 2;  // the language code comes last
    return n > special;
}

}  // namespace dragoman::translate
