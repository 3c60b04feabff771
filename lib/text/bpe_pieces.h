// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>

#include "text/piece_table.h"

namespace dragoman::text {

// A BPE model of SentencePiece: neighbours that are a piece together become one, the piece with the highest score first,
// of equal ones the first in the text.
class BpePieces final : public PieceModel {
public:
    explicit BpePieces(PieceTable table);
    BpePieces(const BpePieces&) = delete;  // its views point into its table
    BpePieces& operator=(const BpePieces&) = delete;

    std::vector<Piece> encode(std::string_view text) const override;

private:
    class Joiner;
    int32_t find(std::string_view text) const;  // -1: no piece

    const PieceTable table_;
    const std::unordered_map<std::string_view, int32_t> by_text_;
    std::size_t longest_ = 0;  // bytes of a piece
};

}  // namespace dragoman::text
