// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "files/file_bytes.h"

namespace dragoman::formats {

// A SentencePiece model that came in another kind of file.
struct SentencePieceModel {
    enum class Type : uint8_t { unigram = 1, bpe = 2, characters = 4 };
    enum class Kind : uint8_t { normal = 1, unknown = 2, control = 3, user_defined = 4, unused = 5, byte = 6 };
    struct Piece {
        std::string text;
        float score = 0.0f;
        Kind kind = Kind::normal;
    };
    Type type = Type::unigram;
    std::vector<Piece> pieces;  // index is the id; no piece twice, one unknown
    std::string rules{};        // precompiled normalisation rules; empty: none
    bool add_dummy_prefix = true, remove_extra_whitespaces = true, escape_whitespaces = true;
    bool byte_fallback = false;
    bool sums_in_double = false;  // scores are added as in tokenizers, for unigram models
    bool rules_of_clusters = false;  // the rules are applied as in tokenizers
};

// The model as a file of SentencePiece; `name` is for messages.
FileBytes sentencepiece_file(const SentencePieceModel& model, std::string name);

// The pieces of a file, by id. Throws bad_model.
struct SentencePiecePieces {
    std::vector<std::string> texts;
    std::vector<bool> control;
    uint32_t unknown = 0;
};
SentencePiecePieces sentencepiece_pieces(const FileBytes& file);

// The token for an unused id: no text contains it and none shows it.
std::string unused_token(uint32_t id);
bool is_unused_token(std::string_view token, uint32_t id);

// The file with more pieces after its own.
FileBytes with_pieces(const FileBytes& file, const std::vector<SentencePieceModel::Piece>& more);

}  // namespace dragoman::formats
