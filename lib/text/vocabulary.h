// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace dragoman::text {

// Tokens and their ids, 0 to size() - 1. Immutable: any number of threads may use one.
class Vocabulary {
public:
    // tokens[i] has id i. A token that occurs twice is looked up as its first id; both ids print as it. The unknown
    // token is appended when the list lacks it. Throws invalid_argument when there are more than 2^31 tokens.
    Vocabulary(std::vector<std::string> tokens, std::string_view unk_token);

    Vocabulary(const Vocabulary&) = delete;  // the index points into tokens_
    Vocabulary& operator=(const Vocabulary&) = delete;
    Vocabulary(Vocabulary&&) noexcept = default;
    Vocabulary& operator=(Vocabulary&&) noexcept = default;

    uint32_t size() const { return static_cast<uint32_t>(tokens_.size()); }
    uint32_t unk_id() const { return unk_id_; }

    std::optional<uint32_t> find(std::string_view token) const;
    uint32_t id(std::string_view token) const { return find(token).value_or(unk_id_); }  // unknown: unk_id()
    // id < size(), else a fault of the caller (Error{internal}).
    const std::string& token(uint32_t id) const;

    std::vector<uint32_t> ids(std::span<const std::string> tokens) const;
    std::vector<std::string> tokens(std::span<const uint32_t> ids) const;

private:
    std::vector<std::string> tokens_;
    std::unordered_map<std::string_view, uint32_t> ids_;
    uint32_t unk_id_ = 0;
};

}  // namespace dragoman::text
