// SPDX-License-Identifier: Apache-2.0
#include "text/word_piece.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"

namespace dragoman::text {
namespace {

// Models were trained with the categories of Unicode 8, which the tokenizers library still has: younger punctuation and
// marks are letters to them.
bool is_known(int32_t c) {
    constexpr uint8_t kVersion = 8;
    UVersionInfo age;
    u_charAge(c, age);
    return age[0] <= kVersion;
}

bool is_kept_control(int32_t c) { return c == '\t' || c == '\n' || c == '\r'; }

bool is_control(int32_t c) {
    const int8_t type = u_charType(c);
    if (type == U_PRIVATE_USE_CHAR) return true;
    return (type == U_CONTROL_CHAR || type == U_FORMAT_CHAR) && is_known(c) && !is_kept_control(c);
}

bool is_dropped(int32_t c) { return c == 0 || c == 0xfffd || is_control(c); }

bool is_white(int32_t c) { return u_isUWhiteSpace(c); }

bool is_accent(int32_t c) { return u_charType(c) == U_NON_SPACING_MARK; }

bool is_punctuation(int32_t c) {
    if (c < 0x80) return c > 0x20 && c < 0x7f && !u_isalnum(c);
    return u_ispunct(c) && is_known(c);
}

// The blocks of CJK ideographs, as BERT's authors list them; the tokenizers library begins one of them late.
bool is_chinese(int32_t c) {
    constexpr Range kBlocks[] = {{0x3400, 0x4dbf},   {0x4e00, 0x9fff},   {0xf900, 0xfaff},  {0x20000, 0x2a6df},
                                 {0x2a700, 0x2b81f}, {0x2b920, 0x2ceaf}, {0x2f800, 0x2fa1f}};
    if (c < 0x3400) return false;
    return std::ranges::any_of(kBlocks, [&](Range block) {
        return std::size_t(c) >= block.begin && std::size_t(c) <= block.end;
    });
}

void append_code_point(std::string& text, int32_t c) {
    char bytes[U8_MAX_LENGTH];
    int32_t size = 0;
    U8_APPEND_UNSAFE(bytes, size, c);
    text.append(bytes, std::size_t(size));
}

void append_lower(std::string& text, int32_t c) {
    append_code_point(text, c == 0x130 ? 'i' : u_tolower(c));
    if (c == 0x130) append_code_point(text, 0x307);  // the only one that becomes two
}

const UNormalizer2* nfd() {
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2* result = unorm2_getNFDInstance(&status);
    if (U_FAILURE(status)) fail(Status::internal, "Unicode normalisation: {}", u_errorName(status));
    return result;
}

// A character without its accents, in canonical parts.
void append_stripped(std::vector<int32_t>& parts, int32_t c) {
    constexpr int32_t kMax = 32;
    UChar decomposed[kMax];
    UErrorCode status = U_ZERO_ERROR;
    const int32_t size = unorm2_getDecomposition(nfd(), c, decomposed, kMax, &status);
    if (size < 0 || U_FAILURE(status)) {
        if (!is_accent(c)) parts.push_back(c);
        return;
    }
    for (int32_t at = 0; at < size;) {
        UChar32 part = 0;
        U16_NEXT(decomposed, at, size, part);
        if (!is_accent(part)) parts.push_back(part);
    }
}

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
            if (!(spec_.clean && is_dropped(c))) write(text, {at, next}, c);
        }
        return std::move(out_);
    }

private:
    void write(std::string_view source, Range range, int32_t c) {
        const bool alone = spec_.chinese_characters && is_chinese(c);
        if (alone) put(" ", {range.begin, range.begin}, {});
        written_.clear();
        if (spec_.clean && is_white(c)) written_ = " ";
        else append_character(c);
        put(written_, range, part(source, range));
        if (alone) put(" ", {range.end, range.end}, {});
    }

    void append_character(int32_t c) {
        parts_.clear();
        if (spec_.strip_accents) append_stripped(parts_, c);
        else parts_.push_back(c);
        for (const int32_t one : parts_) {
            if (spec_.lower_case) append_lower(written_, one);
            else append_code_point(written_, one);
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
    std::vector<int32_t> parts_;
};

// The end of the word at `at`: a mark of punctuation is one.
std::size_t end_of_word(std::string_view text, std::size_t at) {
    std::size_t end = at;
    if (is_punctuation(next_character(text, end))) return end;
    for (std::size_t next = end; next < text.size(); end = next) {
        const int32_t c = next_character(text, next);
        if (is_white(c) || is_punctuation(c)) break;
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
        if (is_white(next_character(text, next))) continue;
        next = end_of_word(text, at);
        add_word(text, {at, next}, result);
    }
    to_source(cleaned.map, given, result.ranges);
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
