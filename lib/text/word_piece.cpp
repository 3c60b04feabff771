// SPDX-License-Identifier: Apache-2.0
#include "text/word_piece.h"

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"
#include "text/bert_characters.h"
#include "text/offset_map.h"
#include "text/step_text.h"

namespace dragoman::text {
namespace {

struct Cleaned {
    std::string text;
    OffsetMap map;  // from the text here to the one that was given
};

class Cleaner {
public:
    explicit Cleaner(const spec::WordPieceSpec& spec) : spec_(spec) {}

    Cleaned clean(std::string_view text) {
        for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
            const int32_t c = next_character(text, next);
            if (!(spec_.clean && is_bert_dropped(c))) write(text, {at, next}, c);
        }
        return std::move(out_);
    }

private:
    void write(std::string_view source, Range range, int32_t c) {
        const bool alone = spec_.chinese_characters && is_bert_ideograph(c);
        if (alone) put(" ", {range.begin, range.begin}, {});
        written_.clear();
        if (spec_.clean && is_bert_white(c)) written_ = " ";
        else append_character(c);
        put(written_, range, part(source, range));
        if (alone) put(" ", {range.end, range.end}, {});
    }

    void append_character(int32_t c) {
        parts_.clear();
        if (spec_.strip_accents) append_without_accents(parts_, c);
        else parts_.push_back(c);
        for (const int32_t one : parts_) {
            lower_.clear();
            if (spec_.lower_case) append_lower(lower_, one);
            else lower_.push_back(one);
            for (const int32_t each : lower_) append_utf8(written_, each);
        }
    }

    void put(std::string_view text, Range range, std::string_view source) {
        if (text.empty()) return;
        if (text == source) out_.map.copy(range);
        else out_.map.replace(text.size(), range);
        out_.text += text;
    }

    const spec::WordPieceSpec& spec_;
    Cleaned out_;
    std::string written_;
    std::vector<int32_t> parts_, lower_;
};

// The end of the word at `at`: a mark of punctuation is one.
std::size_t end_of_word(std::string_view text, std::size_t at) {
    std::size_t end = at;
    if (is_bert_punctuation(next_character(text, end))) return end;
    for (std::size_t next = end; next < text.size(); end = next) {
        const int32_t c = next_character(text, next);
        if (is_bert_white(c) || is_bert_punctuation(c)) break;
    }
    return end;
}

}  // namespace

WordPiece::WordPiece(const spec::WordPieceSpec& spec, std::span<const std::string> vocabulary)
    : spec_(spec), tokens_(vocabulary.begin(), vocabulary.end()) {
    for (const std::string_view token : tokens_) {
        first_.insert(token);
        if (token.starts_with(spec_.continuation)) further_.insert(token.substr(spec_.continuation.size()));
        longest_ = std::max(longest_, token.size());
    }
}

TokenizedText WordPiece::encode(std::string_view given) const {
    if (const auto bad = first_invalid_utf8(given)) {
        fail(Status::invalid_argument, "text: expected UTF-8, byte {} is 0x{:02x}", *bad,
             static_cast<unsigned char>(given[*bad]));
    }
    const Cleaned cleaned = Cleaner(spec_).clean(given);
    const std::string_view text = cleaned.text;
    TokenizedText result;
    for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
        if (is_bert_white(next_character(text, next))) continue;
        next = end_of_word(text, at);
        add_word(text, {at, next}, result);
    }
    to_source(cleaned.map, given, result.ranges);
    return result;
}

TokenizedText WordPiece::encode_word(std::string_view word) const {
    TokenizedText result;
    add_word(word, {0, word.size()}, result);
    return result;
}

void WordPiece::add_word(std::string_view text, Range word, TokenizedText& result) const {
    const std::size_t before = result.tokens.size();
    const auto unknown = [&] {
        result.tokens.resize(before);
        result.ranges.resize(before);
        result.tokens.push_back(spec_.unk_token);
        result.ranges.push_back(word);
    };
    const auto inside = [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; };
    const std::string_view letters = part(text, word);
    if (std::size_t(std::ranges::count_if(letters, [&](char b) { return !inside(b); })) > spec_.most_characters)
        return unknown();
    for (std::size_t at = 0; at < letters.size();) {
        const auto& pieces = at == 0 ? first_ : further_;
        std::size_t size = std::min(letters.size() - at, longest_);
        while (size > 0 && !(pieces.contains(letters.substr(at, size)) &&
                             (at + size == letters.size() || !inside(letters[at + size]))))
            --size;
        if (size == 0) return unknown();
        const std::string piece(letters.substr(at, size));
        result.tokens.push_back(at == 0 ? piece : spec_.continuation + piece);
        result.ranges.push_back({word.begin + at, word.begin + at + size});
        at += size;
    }
}

DetokenizedText WordPiece::decode(std::span<const std::string> tokens) const {
    DetokenizedText result;
    for (const std::string& token : tokens) {
        const bool further = token.starts_with(spec_.continuation) && token.size() > spec_.continuation.size();
        if (!further && !result.text.empty()) result.text += ' ';
        const std::size_t begin = result.text.size();
        result.text += further ? token.substr(spec_.continuation.size()) : token;
        result.ranges.push_back({begin, result.text.size()});
    }
    return result;
}

}  // namespace dragoman::text
