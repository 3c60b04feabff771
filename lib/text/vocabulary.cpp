// SPDX-License-Identifier: Apache-2.0
#include "text/vocabulary.h"

#include "base/error.h"

namespace dragoman::text {

Vocabulary::Vocabulary(std::vector<std::string> tokens, std::string_view unk_token) : tokens_(std::move(tokens)) {
    constexpr std::size_t most = std::size_t{1} << 31;
    if (tokens_.size() >= most) {
        fail(Status::invalid_argument, "vocabulary: expected fewer than {} tokens, there are {}", most, tokens_.size());
    }
    tokens_.reserve(tokens_.size() + 1);  // the index must not see its strings move
    ids_.reserve(tokens_.size() + 1);
    for (uint32_t id = 0; id < size(); ++id) ids_.emplace(tokens_[id], id);
    if (!ids_.contains(unk_token)) {
        tokens_.emplace_back(unk_token);
        ids_.emplace(tokens_.back(), size() - 1);
    }
    unk_id_ = ids_.at(unk_token);
}

std::optional<uint32_t> Vocabulary::find(std::string_view token) const {
    const auto found = ids_.find(token);
    if (found == ids_.end()) return std::nullopt;
    return found->second;
}

const std::string& Vocabulary::token(uint32_t id) const {
    DRAGOMAN_ASSERT(id < size());
    return tokens_[id];
}

std::vector<uint32_t> Vocabulary::ids(std::span<const std::string> tokens) const {
    std::vector<uint32_t> result;
    result.reserve(tokens.size());
    for (const std::string& token : tokens) result.push_back(id(token));
    return result;
}

std::vector<std::string> Vocabulary::tokens(std::span<const uint32_t> ids) const {
    std::vector<std::string> result;
    result.reserve(ids.size());
    for (const uint32_t id : ids) result.push_back(token(id));
    return result;
}

}  // namespace dragoman::text
