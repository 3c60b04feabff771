// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "files/file_bytes.h"
#include "text/characters.h"
#include "text/piece_rules.h"

namespace dragoman::text {

// A unigram model of SentencePiece: the pieces of a text are those with the largest sum of log-probabilities. Where sums
// are equal, it decides as SentencePiece 0.1.97 to 0.2.1 do; later ones decide otherwise.
class Unigram {
public:
    struct Piece {
        std::string text;
        Range range;  // bytes of the given text; several pieces may stand for one character
        bool known = true;  // false: unknown, or a byte of a character that is
        float score = 0.0f;
    };

    // Nothing for models of another type. Throws bad_model.
    static std::optional<Unigram> read(const FileBytes& file);

    // Neighbouring unknown characters are one piece, or their bytes where the model has pieces for these.
    std::vector<Piece> encode(std::string_view text) const;

private:
    struct Entry {
        std::string text;
        float score = 0.0f;
        uint32_t kind = 1;
    };
    // A byte on the way to pieces. The children of a node follow one another, in the order of their bytes.
    struct Node {
        uint32_t first = 0;
        int32_t entry = -1;  // the piece that ends here
        uint16_t children = 0;
        uint8_t byte = 0;
    };
    struct Step {  // the last piece of the best way to a byte
        float sum = 0.0f;
        int32_t entry = -1;
        uint32_t begin = kUnreached;
    };
    static constexpr uint32_t kUnreached = UINT32_MAX;

    void build();
    const Node* child(const Node& node, uint8_t byte) const;
    std::vector<Step> best_steps(std::string_view normal) const;
    void add_unknown(std::vector<Piece>& pieces, std::string_view normal, Range range, bool joins) const;

    PieceRules rules_;
    std::vector<Entry> entries_;
    std::vector<Node> nodes_;  // the first one is the root
    bool bytes_ = false;  // unknown characters become pieces of bytes
    float unknown_ = 0.0f, largest_ = 0.0f;  // score of an unknown character, largest of a piece
};

}  // namespace dragoman::text
