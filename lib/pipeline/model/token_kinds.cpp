// SPDX-License-Identifier: Apache-2.0
#include "pipeline/model/token_kinds.h"

#include "shared/search.h"
#include "text/words.h"

namespace dragoman::pipeline {
namespace {

// The marks of SentencePiece and of byte-level BPE come before words, WordPiece's inside them.
constexpr std::string_view kWordPiece = "##", kMarks[] = {"\xe2\x96\x81", "\xc4\xa0", kWordPiece};

// The way in which a vocabulary marks where words begin.
class WordMarks {
public:
    explicit WordMarks(const text::Vocabulary& vocabulary) {
        for (const std::string_view mark : kMarks) {
            uint32_t marked = 0;
            for (uint32_t id = 0; id < vocabulary.size(); ++id) marked += vocabulary.token(id).starts_with(mark);
            if (marked <= vocabulary.size() / 10) continue;
            mark_ = mark;
            return;
        }
    }

    bool known() const { return !mark_.empty(); }
    bool begins_word(std::string_view token) const { return token.starts_with(mark_) != (mark_ == kWordPiece); }

private:
    std::string_view mark_;
};

bool goes_on(int32_t c) { return c != -1 && !text::is_unspaced(c) && (text::is_letter(c) || text::is_digit(c)); }

bool is_stop(int32_t c) {
    static constexpr std::u32string_view kStops = U".!?\u2026\u3002\uff01\uff1f\uff0e\u061f\u06d4\u0964";
    return c > 0 && kStops.find(char32_t(c)) != kStops.npos;
}

// Whether a sentence may end with this: marks that close one, and quotation marks and brackets.
bool closes(std::string_view text) {
    bool stops = false;
    for (std::size_t at = 0; at < text.size();) {
        const int32_t c = text::next_character(text, at);
        if (!is_stop(c) && !text::is_closing(c)) return false;
        stops |= is_stop(c);
    }
    return stops;
}

}  // namespace

std::string_view without_word_mark(std::string_view token) {
    for (const std::string_view mark : kMarks)
        if (token.starts_with(mark)) return token.substr(mark.size());
    return token;
}

std::shared_ptr<const decode::TokenKinds> token_kinds(const text::Vocabulary& target) {
    const WordMarks marks(target);
    auto kinds = std::make_shared<decode::TokenKinds>();
    decode::add_kind(*kinds, target.size() - 1, 0);
    for (uint32_t id = 0; id < target.size(); ++id) {
        const std::string_view token = target.token(id);
        if (token.starts_with('<') && token.ends_with('>')) continue;
        const std::string_view text = without_word_mark(token);
        if (closes(text)) decode::add_kind(*kinds, id, TOKEN_CLOSES);
        std::size_t begin = 0, end = text.size();
        if (text.empty() || !marks.known()) continue;
        if (!marks.begins_word(token) && goes_on(text::next_character(text, begin)))
            decode::add_kind(*kinds, id, TOKEN_GLUED);
        if (goes_on(text::previous_character(text, end))) decode::add_kind(*kinds, id, TOKEN_OPEN);
    }
    return kinds;
}

}  // namespace dragoman::pipeline
