// SPDX-License-Identifier: Apache-2.0
#include "text/byte_bpe.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <functional>
#include <queue>
#include <set>
#include <tuple>
#include <unordered_map>

#include "base/error.h"
#include "base/utf8.h"
#include "text/byte_characters.h"
#include "text/step_text.h"

namespace dragoman::text {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD
constexpr uint32_t kNone = ~0u;

enum class Kind { space, letter, number, other };

Kind kind_of(int32_t c) {
    if (is_space(c)) return Kind::space;
    if (is_letter(c)) return Kind::letter;
    return c >= 0 && (U_GET_GC_MASK(c) & U_GC_N_MASK) ? Kind::number : Kind::other;
}

Kind kind_at(std::string_view text, std::size_t at) { return kind_of(next_character(text, at)); }

std::size_t end_of(std::string_view text, std::size_t at, Kind kind) {
    while (at < text.size() && kind_at(text, at) == kind) next_character(text, at);
    return at;
}

// The end of the word at `at`: "'s" and the like; letters, digits or others with the space before them; white space,
// whose last character is left to the next word.
std::size_t word_end(std::string_view text, std::size_t at) {
    for (const std::string_view ending : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"})
        if (text.substr(at).starts_with(ending)) return at + ending.size();
    const std::size_t word = text[at] == ' ' && at + 1 < text.size() ? at + 1 : at;
    if (const Kind kind = kind_at(text, word); kind != Kind::space) return end_of(text, word, kind);
    const std::size_t end = end_of(text, at, Kind::space);
    std::size_t last = end, first = at;
    previous_character(text, last);
    next_character(text, first);
    return end < text.size() && first < end ? last : end;
}

// A character's bytes belong together, whatever the tokens are.
Range whole_characters(std::string_view text, Range range) {
    const auto inside = [&](std::size_t at) {
        return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
    };
    while (range.begin > 0 && inside(range.begin)) --range.begin;
    while (inside(range.end)) ++range.end;
    return range;
}

void finish_ranges(std::string_view text, std::vector<Range>& ranges) {
    for (Range& range : ranges) range = whole_characters(text, range);
    trim_spaces(text, ranges);
    cover_dropped(text, ranges);
}

}  // namespace

struct ByteBpe::Tables {
    struct Merge {
        uint32_t rank, symbol;
    };
    struct Joint {  // two neighbours that may be joined
        uint32_t rank, left, right;  // places in the word
        uint64_t pair;
        bool operator>(const Joint& other) const { return std::tie(rank, left) > std::tie(other.rank, other.left); }
    };
    static uint64_t pair_of(uint32_t left, uint32_t right) { return uint64_t(left) << 32 | right; }

    Tables(const std::vector<std::string>& merges, std::span<const spec::AddedWord> added) {
        for (const spec::AddedWord& word : added) words.insert(word.text);
        for (uint32_t byte = 0; byte < kByteValues; ++byte) add(to_utf8(std::array{byte_character(byte)}));
        for (uint32_t rank = 0; rank < merges.size(); ++rank) {
            const auto [left, right] = parts(merges[rank], rank);
            const uint32_t whole = add(texts[left] + texts[right]);
            joined.emplace(pair_of(left, right), Merge{rank, whole});
        }
    }

    std::pair<uint32_t, uint32_t> parts(const std::string& merge, uint32_t rank) const {
        const auto space = merge.find(' ');
        const auto left = symbols.find(merge.substr(0, space));
        const auto right = symbols.find(space == std::string::npos ? merge : merge.substr(space + 1));
        if (space == std::string::npos || left == symbols.end() || right == symbols.end())
            fail(Status::bad_model, "merge {}: expected two tokens that are known before it, file has \"{}\"", rank,
                 merge);
        return {left->second, right->second};
    }

    uint32_t add(const std::string& text) {
        const auto [found, added] = symbols.emplace(text, uint32_t(texts.size()));
        if (added) texts.push_back(text);
        return found->second;
    }

    // The symbols of a word, and at which of its bytes each begins.
    void encode(std::string_view word, std::vector<uint32_t>& found, std::vector<std::size_t>& begins) const {
        const auto size = uint32_t(word.size());
        std::vector<uint32_t> symbol(size), next(size), previous(size);
        std::priority_queue<Joint, std::vector<Joint>, std::greater<>> joints;
        const auto offer = [&](uint32_t left, uint32_t right) {
            const uint64_t pair = pair_of(symbol[left], symbol[right]);
            if (const auto merge = joined.find(pair); merge != joined.end())
                joints.push({merge->second.rank, left, right, pair});
        };
        for (uint32_t i = 0; i < size; ++i) {
            symbol[i] = static_cast<unsigned char>(word[i]);
            next[i] = i + 1 < size ? i + 1 : kNone;
            previous[i] = i > 0 ? i - 1 : kNone;
        }
        for (uint32_t i = 0; i + 1 < size; ++i) offer(i, i + 1);
        while (!joints.empty()) {
            const auto [rank, left, right, pair] = joints.top();
            joints.pop();
            // one of them was joined otherwise
            if (next[left] != right || pair_of(symbol[left], symbol[right]) != pair) continue;
            symbol[left] = joined.at(pair).symbol;
            symbol[right] = kNone;
            next[left] = next[right];
            if (next[left] != kNone) {
                previous[next[left]] = left;
                offer(left, next[left]);
            }
            if (previous[left] != kNone) offer(previous[left], left);
        }
        for (uint32_t i = 0; i < size; ++i) {
            if (symbol[i] == kNone) continue;
            found.push_back(symbol[i]);
            begins.push_back(i);
        }
    }

    std::vector<std::string> texts;                     // of symbols; the first 256 are bytes
    std::unordered_map<std::string, uint32_t> symbols;  // by text
    std::unordered_map<uint64_t, Merge> joined;
    std::set<std::string, std::less<>> words;  // that are shown as they are
};

ByteBpe::ByteBpe(const spec::ByteBpeSpec& spec, std::span<const spec::AddedWord> words)
    : tables_(std::make_unique<const Tables>(spec.merges, words)), space_before_(spec.space_before) {}
ByteBpe::~ByteBpe() = default;
ByteBpe::ByteBpe(ByteBpe&&) noexcept = default;

TokenizedText ByteBpe::encode(std::string_view given) const {
    if (const auto bad = first_invalid_utf8(given)) {
        fail(Status::invalid_argument, "text: expected UTF-8, byte {} is 0x{:02x}", *bad,
             static_cast<unsigned char>(given[*bad]));
    }
    const bool added = space_before_ && !given.empty() && given[0] != ' ';
    const std::string text = (added ? " " : "") + std::string(given);
    TokenizedText result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = word_end(text, at);
        std::vector<uint32_t> symbols;
        std::vector<std::size_t> begins;
        tables_->encode(std::string_view(text).substr(at, end - at), symbols, begins);
        begins.push_back(end - at);
        for (std::size_t i = 0; i < symbols.size(); ++i) {
            result.tokens.push_back(tables_->texts[symbols[i]]);
            const auto place = [&](std::size_t byte) { return std::max(at + byte, std::size_t(added)) - added; };
            result.ranges.push_back({place(begins[i]), place(begins[i + 1])});
        }
        at = end;
    }
    finish_ranges(given, result.ranges);
    return result;
}

TokenizedText ByteBpe::encode_word(std::string_view spelled) const {
    std::string bytes;
    std::vector<std::size_t> places;  // of bytes, in the spelling
    for (std::size_t at = 0; at < spelled.size();) {
        const std::size_t begin = at;
        next_character(spelled, at);
        const auto byte = tables_->symbols.find(std::string(spelled.substr(begin, at - begin)));
        if (byte == tables_->symbols.end() || byte->second >= kByteValues) continue;  // no byte's character
        bytes += static_cast<char>(byte->second);
        places.push_back(begin);
    }
    places.push_back(spelled.size());
    std::vector<uint32_t> symbols;
    std::vector<std::size_t> begins;
    tables_->encode(bytes, symbols, begins);
    begins.push_back(bytes.size());
    TokenizedText result;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        result.tokens.push_back(tables_->texts[symbols[i]]);
        result.ranges.push_back({places[begins[i]], places[begins[i + 1]]});
    }
    return result;
}

DetokenizedText ByteBpe::decode(std::span<const std::string> tokens) const {
    std::string bytes;
    std::vector<std::size_t> ends;  // in bytes, one for each token
    for (const std::string& token : tokens) {
        if (tables_->words.contains(token)) {
            bytes += token;
        } else if (tables_->symbols.contains(token)) {
            for (std::size_t at = 0; at < token.size();) {
                const std::size_t begin = at;
                next_character(token, at);
                bytes += static_cast<char>(tables_->symbols.at(token.substr(begin, at - begin)));
            }
        }
        ends.push_back(bytes.size());
    }
    DetokenizedText result;
    std::vector<std::size_t> places;  // in the text, for each byte and the end
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t begin = at;
        const bool good = next_character(bytes, at) >= 0;
        for (std::size_t i = begin; i < at; ++i) places.push_back(result.text.size() + (good ? i - begin : 0));
        result.text += good ? std::string_view(bytes).substr(begin, at - begin) : kReplacement;
    }
    places.push_back(result.text.size());
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
        result.ranges.push_back({places[begin], places[end]});
        begin = end;
    }
    finish_ranges(result.text, result.ranges);
    return result;
}

}  // namespace dragoman::text
