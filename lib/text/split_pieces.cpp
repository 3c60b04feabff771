// SPDX-License-Identifier: Apache-2.0
#include "text/split_pieces.h"

#include <algorithm>
#include <utility>

#include "text/sentencepiece.h"

namespace dragoman::text {

SplitPieces::SplitPieces(PieceTable table) : table_(std::move(table)), by_text_(table_.by_text()) {}

// A word begins with each space.
std::size_t SplitPieces::end_of(std::string_view text, std::size_t at) const {
    if (table_.type == PieceTable::kWords)
        return std::min(text.find(kWordBegin, at + character_size(text, at)), text.size());
    const std::size_t symbol = table_.rules.symbol_size(text.substr(at));
    return at + (symbol > 0 ? symbol : character_size(text, at));
}

std::vector<Piece> SplitPieces::encode(std::string_view text) const {
    const PieceRules::Normal normal = table_.rules.normalize(text);
    const std::string_view all = normal.text;
    std::vector<PieceTable::Cut> cuts;
    for (std::size_t at = 0, end = 0; at < all.size(); at = end) {
        end = end_of(all, at);
        const auto found = by_text_.find(all.substr(at, end - at));
        cuts.push_back({uint32_t(at), uint32_t(end), found == by_text_.end() ? -1 : found->second});
    }
    return table_.pieces(normal, cuts);
}

}  // namespace dragoman::text
