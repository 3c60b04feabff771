// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "files/file_bytes.h"

namespace dragoman::formats {

// The SentencePiece library does not check its files: forged ones make it read past their end or exhaust its stack, at
// load or with the first text. Throws bad_model, naming the piece or unit, for a file that could do so; the library
// itself reports other errors. Files that SentencePiece's trainer writes pass.
void check_sentencepiece(const FileBytes& file);

// Whether a checked model has one of the pieces. Throws bad_model.
bool has_any_piece(const FileBytes& file, const std::vector<std::string>& pieces);

}  // namespace dragoman::formats
