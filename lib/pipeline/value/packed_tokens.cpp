// SPDX-License-Identifier: Apache-2.0
#include "pipeline/value/packed_tokens.h"

#include "base/error.h"

namespace dragoman::pipeline {
namespace {

void write(std::string& bytes, uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes += char(uint8_t(value | 0x80));
    bytes += char(uint8_t(value));
}

}  // namespace

PackedTokens::PackedTokens(const Tokens& tokens, std::span<const text::Range> ranges)
    : size_(uint32_t(tokens.size())), has_ranges_(!ranges.empty()) {
    DRAGOMAN_ASSERT(ranges.empty() || ranges.size() == tokens.size());
    std::string bytes;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        write(bytes, tokens[i].size());
        bytes += tokens[i];
        if (!has_ranges_) continue;
        const auto by = int64_t(ranges[i].begin - begin);
        write(bytes, uint64_t(by) << 1 ^ uint64_t(by >> 63));
        write(bytes, ranges[i].size());
        begin = ranges[i].begin;
    }
    bytes_.assign(bytes);  // without the room that it grew by
}

uint64_t PackedTokens::number(std::string_view& rest) {
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
        const auto byte = uint8_t(rest.front());
        rest.remove_prefix(1);
        value |= uint64_t(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
    }
}

Tokens PackedTokens::tokens() const {
    Tokens found;
    found.reserve(size_);
    each([&](std::string_view token, text::Range) { found.emplace_back(token); });
    return found;
}

std::vector<text::Range> PackedTokens::ranges() const {
    std::vector<text::Range> found;
    if (!has_ranges_) return found;
    found.reserve(size_);
    each([&](std::string_view, text::Range range) { found.push_back(range); });
    return found;
}

}  // namespace dragoman::pipeline
