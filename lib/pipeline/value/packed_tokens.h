// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/model/options.h"
#include "text/characters.h"

namespace dragoman::pipeline {

// Tokens of a finished sentence with the bytes that each stands for, in a few bytes each: a long text has as many tokens as
// bytes. Does not change.
class PackedTokens {
public:
    PackedTokens() = default;
    // `ranges`: one for each token, or none.
    PackedTokens(const Tokens& tokens, std::span<const text::Range> ranges);

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    bool has_ranges() const { return has_ranges_; }
    std::size_t bytes() const { return bytes_.size(); }  // of memory, with at most as many for the tokens' texts

    Tokens tokens() const;
    std::vector<text::Range> ranges() const;
    // Calls visit(std::string_view token, Range) with each; without ranges, these are empty.
    template <class Visit>
    void each(const Visit& visit) const {
        std::string_view rest = bytes_;
        text::Range range{};
        for (std::size_t i = 0; i < size_; ++i) {
            const auto length = std::size_t(number(rest));
            const std::string_view token = rest.substr(0, length);
            rest.remove_prefix(length);
            if (has_ranges_) {
                range.begin += std::size_t(signed_of(number(rest)));
                range.end = range.begin + std::size_t(number(rest));
            }
            visit(token, range);
        }
    }

private:
    static uint64_t number(std::string_view& rest);
    static int64_t signed_of(uint64_t value) { return int64_t(value >> 1) ^ -int64_t(value & 1); }

    std::string
        bytes_{};  // of each token: its size, its text, how far its range begins behind the last one's, how long it is
    uint32_t size_ = 0;
    bool has_ranges_ = false;
};

}  // namespace dragoman::pipeline
