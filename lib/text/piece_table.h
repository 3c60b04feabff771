// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "files/file_bytes.h"
#include "text/characters.h"
#include "text/piece_rules.h"

namespace dragoman::text {

// A piece of a text.
struct Piece {
    std::string text;
    Range range;  // bytes of the given text; several pieces may stand for one character
    bool known = true;  // false: unknown, or a byte of a character that is
    float score = 0.0f;
};

// What a SentencePiece file has, whatever type its model is of.
struct PieceTable {
    enum Type : uint32_t { kUnigram = 1, kBpe = 2, kWords = 3, kCharacters = 4 };
    enum Kind : uint32_t { kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4, kUnused = 5, kByte = 6 };
    struct Entry {
        std::string text;
        float score = 0.0f;
        uint32_t kind = kNormal;
    };
    struct Cut {  // a stretch of a normalised text, and its entry; -1: it has none
        uint32_t begin = 0, end = 0;
        int32_t entry = -1;
    };

    // Throws bad_model.
    static PieceTable read(const FileBytes& file);

    // Neighbouring unknown stretches are one piece, or their bytes where the model has pieces for these. Linear in them.
    std::vector<Piece> pieces(const PieceRules::Normal& normal, std::span<const Cut> cuts) const;

    // Places in `entries` of the pieces that texts may have. It points into the table.
    std::unordered_map<std::string_view, int32_t> by_text() const;

    PieceRules rules;
    std::vector<Entry> entries;
    uint32_t type = kUnigram;
    bool bytes = false;  // unknown characters become pieces of bytes
    bool sums_in_double = false;  // of a unigram model that came in a tokenizer.json
};

// Cuts texts into pieces. Immutable: any number of threads may use one.
class PieceModel {
public:
    virtual ~PieceModel() = default;
    virtual std::vector<Piece> encode(std::string_view text) const = 0;
};

// The bytes of the character at `at`.
std::size_t character_size(std::string_view text, std::size_t at);

}  // namespace dragoman::text
