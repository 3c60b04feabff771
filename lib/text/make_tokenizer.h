// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "files/file_bytes.h"
#include "spec/model_spec.h"
#include "text/tokenizer.h"

namespace dragoman::text {

// What a model brings, per side; no bytes: nothing. Or byte-level BPE or WordPiece for both.
struct TokenizerFiles {
    FileBytes source_sentencepiece;
    FileBytes target_sentencepiece;
    spec::ByteBpeSpec byte_bpe{};
    spec::WordPieceSpec word_piece{};
    std::span<const std::string> source_tokens{};  // that WordPiece looks for
    spec::TokenizerSteps steps{};  // before each of these
    bool clean_up_spaces = false;  // in texts of tokens, see clean_up_spaces()
};

// Tokenises with the source side and detokenises with the target side, or null when one of them is missing (the model
// then works on tokens only). A source that starts with one of the language codes keeps it as its first token;
// `codes_in_text`: the code is a word of the text if the SentencePiece model has a piece for it, as Marian reads lines.
// Throws bad_model.
std::unique_ptr<const Tokenizer> make_tokenizer(const TokenizerFiles& files,
                                                std::vector<std::string> language_codes = {},
                                                bool codes_in_text = false);

}  // namespace dragoman::text
