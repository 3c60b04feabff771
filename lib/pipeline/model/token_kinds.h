// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "decode/search.h"
#include "text/vocabulary.h"

namespace dragoman::pipeline {

// How a vocabulary says where words begin.
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
    static std::string_view text_of(std::string_view token) {
        for (const std::string_view mark : kMarks)
            if (token.starts_with(mark)) return token.substr(mark.size());
        return token;
    }

private:
    // SentencePiece's and byte-level BPE's are in front of words, WordPiece's inside them.
    static constexpr std::string_view kWordPiece = "##", kMarks[] = {"\xe2\x96\x81", "\xc4\xa0", kWordPiece};
    std::string_view mark_;
};

// Whether a word goes on with this character.
bool goes_on(int32_t character);

// The kind of each token of a target vocabulary.
std::shared_ptr<const decode::TokenKinds> token_kinds(const text::Vocabulary& target);

}  // namespace dragoman::pipeline
