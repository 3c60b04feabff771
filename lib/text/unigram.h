// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "text/piece_table.h"

namespace dragoman::text {

// A unigram model of SentencePiece: the pieces of a text are those with the largest sum of log-probabilities.
class Unigram final : public PieceModel {
public:
    // Tables with sums_in_double are read as tokenizers does, which rounds no sum. SentencePiece rounds each to float, and
    // of equal ones the model takes the one that its versions 0.1.97 to 0.2.1 take; later ones decide otherwise.
    explicit Unigram(PieceTable table);

    std::vector<Piece> encode(std::string_view text) const override;

private:
    // A byte on the way to pieces. The children of a node follow one another, in the order of their bytes.
    struct Node {
        uint32_t first = 0;
        int32_t entry = -1;  // the piece that ends here
        uint16_t children = 0;
        uint8_t byte = 0;
    };
    struct Step {  // the last piece of the best way to a byte
        double sum = 0.0;
        int32_t entry = -1;
        uint32_t begin = kUnreached;
    };
    static constexpr uint32_t kUnreached = UINT32_MAX;

    void build();
    const Node* child(const Node& node, uint8_t byte) const;
    std::vector<Step> best_steps(std::string_view normal) const;

    PieceTable table_;
    std::vector<Node> nodes_{};  // the first one is the root
    double unknown_ = 0.0;  // score of an unknown character
    float largest_ = 0.0f;  // of a piece
};

}  // namespace dragoman::text
