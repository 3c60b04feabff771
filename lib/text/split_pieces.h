// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "text/piece_table.h"

namespace dragoman::text {

// The models of SentencePiece whose pieces are words or characters.
class SplitPieces final : public PieceModel {
public:
    explicit SplitPieces(PieceTable table);
    SplitPieces(const SplitPieces&) = delete;  // its views point into its table
    SplitPieces& operator=(const SplitPieces&) = delete;

    std::vector<Piece> encode(std::string_view text) const override;

private:
    std::size_t end_of(std::string_view text, std::size_t at) const;

    const PieceTable table_;
    const std::unordered_map<std::string_view, int32_t> by_text_;
};

}  // namespace dragoman::text
