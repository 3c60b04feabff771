// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "files/file_bytes.h"
#include "spec/model_spec.h"

namespace dragoman::formats {

// A tokenizer.json with WordPiece. Throws bad_model; unsupported for other tokenizers, naming the difference. The file's
// special tokens around a text and its lengths are not read.
struct WordPieceFile {
    std::vector<std::string> tokens;  // index is the id
    spec::WordPieceSpec word_piece;
    spec::TokenizerSteps steps{};  // where the tokenizer is not BERT's
};
WordPieceFile read_word_piece_json(const FileBytes& file);

}  // namespace dragoman::formats
