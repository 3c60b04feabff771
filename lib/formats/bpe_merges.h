// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "formats/sentencepiece_model.h"

namespace dragoman::formats {

// The merges of a BPE tokenizer, best first, as scores of pieces. SentencePiece knows no merges: it joins neighbours
// whose text is a piece, the one of the highest score first. The result is the same for merges that were made from its
// pieces.
class BpeMerges {
public:
    explicit BpeMerges(std::string file) : file_(std::move(file)) {}

    void add(const std::string& left, const std::string& right);
    bool make(const std::string& piece) const { return rank_.contains(piece); }
    // Gives the pieces their scores; `special`: pieces that do not come from texts. Throws unsupported for merges that
    // SentencePiece would make in another way, naming the first one.
    void score(std::span<SentencePieceModel::Piece> pieces, const std::vector<std::string>& special) const;

private:
    std::string file_;
    std::unordered_map<std::string, std::size_t> rank_;  // by piece
    std::unordered_set<std::string> pairs_;  // "left right"
    std::string last_, broken_;  // broken_: a piece whose merges do not follow one another
};

}  // namespace dragoman::formats
