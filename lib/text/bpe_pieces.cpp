// SPDX-License-Identifier: Apache-2.0
#include "text/bpe_pieces.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace dragoman::text {

// Joins the characters of one normalised text.
class BpePieces::Joiner {
public:
    Joiner(const BpePieces& model, std::string_view text) : model_(model), text_(text) {
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t symbol = model.table_.rules.symbol_size(text.substr(at));
            const std::size_t size = symbol > 0 ? symbol : character_size(text, at);
            parts_.push_back({uint32_t(at), uint32_t(size), uint32_t(parts_.size()) - 1, uint32_t(parts_.size()) + 1,
                              symbol > 0});
            at += size;
        }
        if (!parts_.empty()) parts_.back().next = kNone;
    }

    std::vector<PieceTable::Cut> cuts() {
        for (uint32_t i = 1; i < parts_.size(); ++i) offer(i - 1, i);
        while (!pairs_.empty()) {
            const Pair pair = pairs_.top();
            pairs_.pop();
            Part &left = parts_[pair.left], &right = parts_[pair.right];
            if (left.size == 0 || right.size == 0 || left.size + right.size != pair.size) continue;  // joined otherwise
            left.size = pair.size;
            left.next = right.next;
            if (right.next != kNone) parts_[right.next].previous = pair.left;
            right.size = 0;
            offer(left.previous, pair.left);
            offer(pair.left, left.next);
        }
        for (uint32_t i = parts_.empty() ? kNone : 0; i != kNone; i = parts_[i].next)
            add(text_.substr(parts_[i].begin, parts_[i].size));
        return std::move(cuts_);
    }

private:
    static constexpr uint32_t kNone = UINT32_MAX;
    struct Part {
        uint32_t begin, size;  // no bytes: it belongs to one before it
        uint32_t previous, next;
        bool whole;  // a user-defined piece
    };
    struct Pair {
        float score;
        uint32_t left, right, size;
        bool operator<(const Pair& other) const {
            return score < other.score || (score == other.score && left > other.left);
        }
    };

    void offer(uint32_t left, uint32_t right) {
        if (left == kNone || right == kNone || parts_[left].whole || parts_[right].whole) return;
        const uint32_t size = parts_[left].size + parts_[right].size;
        if (size > model_.longest_) return;
        const std::string_view whole = text_.substr(parts_[left].begin, size);
        const int32_t entry = model_.find(whole);
        if (entry < 0) return;
        const PieceTable::Entry& piece = model_.table_.entries[std::size_t(entry)];
        pairs_.push({piece.score, left, right, size});
        if (piece.kind == PieceTable::kUnused) halves_[whole] = parts_[left].size;
    }

    // Pieces that are not in use stand for the two that they were joined of.
    void add(std::string_view whole) {
        rest_.push_back(whole);
        while (!rest_.empty()) {
            const std::string_view piece = rest_.back();
            rest_.pop_back();
            const int32_t entry = model_.find(piece);
            const bool unused = entry >= 0 && model_.table_.entries[std::size_t(entry)].kind == PieceTable::kUnused;
            if (const auto half = unused ? halves_.find(piece) : halves_.end(); half != halves_.end()) {
                rest_.push_back(piece.substr(half->second));
                rest_.push_back(piece.substr(0, half->second));
            } else {
                const auto begin = uint32_t(piece.data() - text_.data());
                cuts_.push_back({begin, begin + uint32_t(piece.size()), entry});
            }
        }
    }

    const BpePieces& model_;
    const std::string_view text_;
    std::vector<Part> parts_{};
    std::priority_queue<Pair> pairs_{};
    std::unordered_map<std::string_view, uint32_t> halves_{};  // bytes of the first part of a piece that is not in use
    std::vector<PieceTable::Cut> cuts_{};
    std::vector<std::string_view> rest_{};  // of a piece, the last one is next
};

BpePieces::BpePieces(PieceTable table) : table_(std::move(table)), by_text_(table_.by_text()) {
    for (const auto& [text, entry] : by_text_) longest_ = std::max(longest_, text.size());
}

int32_t BpePieces::find(std::string_view text) const {
    const auto found = by_text_.find(text);
    return found == by_text_.end() ? -1 : found->second;
}

std::vector<Piece> BpePieces::encode(std::string_view text) const {
    const PieceRules::Normal normal = table_.rules.normalize(text);
    return table_.pieces(normal, Joiner(*this, normal.text).cuts());
}

}  // namespace dragoman::text
