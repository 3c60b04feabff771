// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/file_bytes.h"
#include "text/token_ranges.h"

namespace dragoman::text {

inline constexpr std::string_view kWordBegin = "\xe2\x96\x81";  // U+2581 stands for a space in pieces

// A SentencePiece model. Immutable: any number of threads may use one.
class SentencePiece {
public:
    // Keeps nothing of the file. Throws bad_model when it is not a SentencePiece model. The library does not check the
    // content: files from unknown sources go through formats::check_sentencepiece first, as in families::load.
    explicit SentencePiece(const FileBytes& file) : SentencePiece(file, false) {}
    // The pieces of words that went through a tokenizer.json's steps: the file's own rules and spaces do not count.
    static SentencePiece of_words(const FileBytes& file) { return SentencePiece(file, true); }
    ~SentencePiece();
    SentencePiece(SentencePiece&&) noexcept;
    SentencePiece& operator=(SentencePiece&&) noexcept;

    // Pieces of UTF-8 text from byte `begin` on, without BOS or EOS. A stretch without a piece stays as it is, so that
    // the caller's vocabulary sees it. Throws invalid_argument for invalid UTF-8, naming the byte offset.
    TokenizedText encode(std::string_view text, std::size_t begin = 0) const;

    // The text of pieces; control symbols ("<s>", "</s>") vanish, the unknown symbol becomes U+2047, and pieces that
    // the model does not know stay as they are.
    DetokenizedText decode(std::span<const std::string> pieces) const;

    bool has_piece(std::string_view piece) const;
    // The log-probability of the text for a unigram model; nullopt for others, whose scores are ranks.
    std::optional<double> score(std::string_view text) const;

private:
    SentencePiece(const FileBytes& file, bool words);

    struct Processor;
    std::unique_ptr<const Processor> processor_;
    bool has_likelihoods_ = false;
};

}  // namespace dragoman::text
