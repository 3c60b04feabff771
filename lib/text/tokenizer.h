// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/file_bytes.h"
#include "spec/model_spec.h"
#include "text/token_ranges.h"

namespace dragoman::text {

enum class Side : int { source = 0, target = 1 };

// Text to tokens of a model and back, with the bytes that each token stands for. Immutable: any number of threads may
// use one.
class Tokenizer {
public:
    virtual ~Tokenizer() = default;
    // Throws invalid_argument for text that is not UTF-8, naming the byte offset.
    virtual TokenizedText tokenize(std::string_view text, Side side = Side::source) const = 0;
    virtual DetokenizedText detokenize(std::span<const std::string> tokens, Side side = Side::target) const = 0;
    // How well the source side knows a text: of two ways to write it, the one with the higher score is more usual.
    // Nothing where pieces have no likelihoods.
    virtual std::optional<double> score(std::string_view) const { return std::nullopt; }
};

// The tokenizer files of a model, per side; no bytes: it has none. Byte-level BPE or WordPiece serve both sides.
struct TokenizerFiles {
    FileBytes source_sentencepiece;
    FileBytes target_sentencepiece;
    spec::ByteBpeSpec byte_bpe{};
    spec::WordPieceSpec word_piece{};
    std::span<const std::string> source_tokens{};  // that WordPiece looks for
};

// Tokenises with the source side and detokenises with the target side, or null when one of them is missing (the model
// then works on tokens only). A source that starts with one of the language codes keeps it as its first token;
// `codes_in_text`: the code is a word of the text if the SentencePiece model has a piece for it, as Marian reads lines.
// Throws bad_model.
std::unique_ptr<const Tokenizer> make_tokenizer(const TokenizerFiles& files,
                                                std::vector<std::string> language_codes = {},
                                                bool codes_in_text = false);

}  // namespace dragoman::text
