// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "spec/model_spec.h"
#include "text/token_ranges.h"

namespace dragoman::text {

// BERT's tokenizer (Devlin et al. 2019): a text is cleaned, parted at white space and around punctuation, and each word
// becomes the longest pieces that the vocabulary has, from its begin on ("play", "##ing"). A word for which it has none
// is one unknown token. Immutable: any number of threads may use one.
class WordPiece {
public:
    // `vocabulary`: all tokens of the model.
    WordPiece(const spec::WordPieceSpec& spec, std::span<const std::string> vocabulary);
    WordPiece(const WordPiece&) = delete;  // the sets point into tokens_

    // Throws invalid_argument for text that is not UTF-8, naming the byte offset.
    TokenizedText encode(std::string_view text) const;
    // Pieces of one word, with their places in it.
    TokenizedText encode_word(std::string_view word) const;
    DetokenizedText decode(std::span<const std::string> tokens) const;

private:
    void add_word(std::string_view text, Range word, TokenizedText& result) const;

    spec::WordPieceSpec spec_;
    std::vector<std::string> tokens_;
    std::unordered_set<std::string_view> first_, further_;  // pieces; the further ones without what marks them
    std::size_t longest_ = 0;  // in bytes
};

}  // namespace dragoman::text
