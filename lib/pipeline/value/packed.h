// SPDX-License-Identifier: Apache-2.0
// What long texts have many of, in a few bytes each: tokens, sentences, places of sentences.
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

// Whole numbers in as many bytes as they need: small ones take one.
void pack_number(std::string& bytes, uint64_t value);
uint64_t unpack_number(std::string_view& rest);  // and takes it away

// Tokens of a finished sentence with the bytes that each stands for, in a few bytes each: a long text has as many tokens as
// bytes. A view of bytes that pack_tokens() has written.
class PackedTokens {
public:
    PackedTokens() = default;
    PackedTokens(std::string_view bytes, std::size_t size, bool has_ranges, std::size_t begin)
        : bytes_(bytes), size_(size), begin_(begin), has_ranges_(has_ranges) {}

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
        text::Range range{has_ranges_ ? begin_ : 0, has_ranges_ ? begin_ : 0};
        for (std::size_t i = 0; i < size_; ++i) {
            const auto length = std::size_t(unpack_number(rest));
            const std::string_view token = rest.substr(0, length);
            rest.remove_prefix(length);
            if (has_ranges_) {
                range.begin += std::size_t(signed_of(unpack_number(rest)));
                range.end = range.begin + std::size_t(unpack_number(rest));
            }
            visit(token, range);
        }
    }

private:
    static int64_t signed_of(uint64_t value) { return int64_t(value >> 1) ^ -int64_t(value & 1); }

    // Each token has its size, its text, how far its range begins behind the one before, and how long that is.
    std::string_view bytes_{};
    std::size_t size_ = 0, begin_ = 0;
    bool has_ranges_ = false;
};

// Appends tokens; `ranges`: one for each, or none. Those of a sentence count from `begin`, where it begins.
void pack_tokens(std::string& bytes, const Tokens& tokens, std::span<const text::Range> ranges, std::size_t begin);

// Records in their order, which take little more than their own bytes: a line may have as many sentences as half its bytes.
// One is found by going through its block. Does not change but at its end.
class PackedRecords {
public:
    std::size_t size() const { return size_; }
    std::size_t bytes() const;  // of memory
    std::size_t tokens_before(std::size_t record) const;  // the sum of `tokens` of those before it
    struct Record {
        std::string_view bytes;
        std::size_t tokens;
    };
    Record operator[](std::size_t record) const;
    void add(std::string_view bytes, std::size_t tokens);

private:
    static constexpr std::size_t kPerBlock = 32;
    struct Block {
        std::string bytes{};  // of each record: its size, its tokens, and it
        std::size_t tokens_before = 0;
    };
    std::vector<Block> blocks_{};
    std::size_t size_ = 0, tokens_ = 0;
};

// Where the sentences of a document are, in order. They are taken one after the other, so each takes as few bytes as its
// distance and length do: a line of tabs has one in every other byte.
class Places {
public:
    struct Place {
        text::Range range{};
        bool continues = false;  // the one that was taken before
    };

    void add(text::Range range);
    std::size_t size() const { return size_; }
    std::size_t left() const { return size_ - taken_ + (rest_.size() > 0); }
    bool begun() const { return taken_ > 0; }
    std::vector<text::Range> all() const;  // before any is taken
    Place take();  // the next one
    void put_back(text::Range rest) { rest_ = rest; }  // of the one that was taken, to be taken next; empty: nothing

    // The bytes that go down at once: of longer ones, parts do.
    void set_longest(std::size_t bytes) { longest_ = bytes; }
    std::size_t longest() const { return longest_; }
    std::size_t expected() const { return left() + (long_bytes_ + beyond(rest_)) / longest_; }  // to be taken, about
    std::size_t bytes() const { return bytes_.capacity(); }  // of memory

private:
    std::size_t beyond(text::Range range) const { return range.size() > longest_ ? range.size() - longest_ : 0; }
    static text::Range read(std::string_view& rest, std::size_t end);

    std::string bytes_{};  // of each: its distance from the last one's end, with a sign, and its size
    std::size_t size_ = 0, end_ = 0;  // of those that were added
    std::size_t taken_ = 0, taken_bytes_ = 0, taken_end_ = 0;
    std::size_t longest_ = SIZE_MAX, long_bytes_ = 0;  // of those that are left, beyond the longest
    text::Range rest_{};
};

}  // namespace dragoman::pipeline
