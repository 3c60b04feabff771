// SPDX-License-Identifier: Apache-2.0
#include "pipeline/value/packed.h"

#include <utility>

#include "base/error.h"

namespace dragoman::pipeline {

void pack_number(std::string& bytes, uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes += char(uint8_t(value | 0x80));
    bytes += char(uint8_t(value));
}

uint64_t unpack_number(std::string_view& rest) {
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
        const auto byte = uint8_t(rest.front());
        rest.remove_prefix(1);
        value |= uint64_t(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
    }
}

void pack_tokens(std::string& bytes, const Tokens& tokens, std::span<const text::Range> ranges, std::size_t begin) {
    DRAGOMAN_ASSERT(ranges.empty() || ranges.size() == tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        pack_number(bytes, tokens[i].size());
        bytes += tokens[i];
        if (ranges.empty()) continue;
        const auto by = int64_t(ranges[i].begin - begin);
        pack_number(bytes, uint64_t(by) << 1 ^ uint64_t(by >> 63));
        pack_number(bytes, ranges[i].size());
        begin = ranges[i].begin;
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

std::size_t PackedRecords::bytes() const {
    std::size_t bytes = blocks_.capacity() * sizeof(Block);
    for (const Block& block : blocks_) bytes += block.bytes.capacity();
    return bytes;
}

PackedRecords::Record PackedRecords::operator[](std::size_t record) const {
    DRAGOMAN_ASSERT(record < size_);
    std::string_view rest = blocks_[record / kPerBlock].bytes;
    for (std::size_t left = record % kPerBlock;; --left) {
        const auto size = std::size_t(unpack_number(rest)), tokens = std::size_t(unpack_number(rest));
        if (left == 0) return {rest.substr(0, size), tokens};
        rest.remove_prefix(size);
    }
}

std::size_t PackedRecords::tokens_before(std::size_t record) const {
    if (record == size_) return tokens_;
    DRAGOMAN_ASSERT(record < size_);
    const Block& block = blocks_[record / kPerBlock];
    std::string_view rest = block.bytes;
    std::size_t sum = block.tokens_before;
    for (std::size_t left = record % kPerBlock; left > 0; --left) {
        const auto size = std::size_t(unpack_number(rest));
        sum += std::size_t(unpack_number(rest));
        rest.remove_prefix(size);
    }
    return sum;
}

void PackedRecords::add(std::string_view bytes, std::size_t tokens) {
    if (size_ % kPerBlock == 0) blocks_.push_back({.tokens_before = tokens_});
    std::string& block = blocks_.back().bytes;
    pack_number(block, bytes.size());
    pack_number(block, tokens);
    block += bytes;
    tokens_ += tokens;
    if (++size_ % kPerBlock == 0) block = std::string(block);  // without the room that it grew by
}

void Places::add(text::Range range) {
    const auto distance = int64_t(range.begin - end_);
    pack_number(bytes_, uint64_t(distance) << 1 ^ uint64_t(distance >> 63));
    pack_number(bytes_, range.size());
    end_ = range.end;
    long_bytes_ += beyond(range);
    ++size_;
}

text::Range Places::read(std::string_view& rest, std::size_t end) {
    const uint64_t distance = unpack_number(rest);
    const std::size_t begin = end + std::size_t(int64_t(distance >> 1) ^ -int64_t(distance & 1));
    return {begin, begin + std::size_t(unpack_number(rest))};
}

Places::Place Places::take() {
    DRAGOMAN_ASSERT(left() > 0);
    if (rest_.size() > 0) return {std::exchange(rest_, {}), true};
    std::string_view rest = std::string_view(bytes_).substr(taken_bytes_);
    const text::Range range = read(rest, taken_end_);
    taken_bytes_ = bytes_.size() - rest.size();
    taken_end_ = range.end;
    long_bytes_ -= beyond(range);
    ++taken_;
    return {range, false};
}

std::vector<text::Range> Places::all() const {
    DRAGOMAN_ASSERT(!begun());
    std::vector<text::Range> found;
    found.reserve(size_);
    for (std::string_view rest = bytes_; !rest.empty();)
        found.push_back(read(rest, found.empty() ? 0 : found.back().end));
    return found;
}

}  // namespace dragoman::pipeline
