// SPDX-License-Identifier: Apache-2.0
#include "formats/bpe_merges.h"

#include <algorithm>

#include "base/error.h"
#include "files/file_budget.h"

namespace dragoman::formats {
namespace {

constexpr std::size_t kMaxMergedBytes = 4096;  // each of its places is looked at

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }

bool is_one_character(std::string_view text) { return std::ranges::count_if(text, begins_character) == 1; }

}  // namespace

void BpeMerges::add(const std::string& left, const std::string& right) {
    check_vocabulary(file_, pairs_.size() + 1);
    const std::string whole = left + right;
    const bool first = rank_.emplace(whole, rank_.size()).second;
    if (!first && whole != last_ && broken_.empty()) broken_ = whole;
    pairs_.insert(left + " " + right);
    last_ = whole;
}

void BpeMerges::score(std::span<SentencePieceModel::Piece> pieces, const std::vector<std::string>& special) const {
    const auto refuse = [&](std::string_view what, std::string_view piece) {
        fail(Status::unsupported, "{}: merges: SentencePiece merges otherwise: {} \"{}\"", file_, what, piece);
    };
    if (!broken_.empty()) refuse("other merges between those of", broken_);
    const std::unordered_set<std::string_view> apart(special.begin(), special.end());
    std::unordered_set<std::string_view> known;
    for (const auto& piece : pieces)
        if (!apart.contains(piece.text)) known.insert(piece.text);
    for (auto& piece : pieces) {
        if (!known.contains(piece.text)) continue;
        const auto rank = rank_.find(piece.text);
        if (rank != rank_.end()) piece.score = -float(rank->second);
        else if (!is_one_character(piece.text)) refuse("no merge makes", piece.text);
        const std::string_view text = piece.text;
        if (text.size() > kMaxMergedBytes)
            fail(Status::bad_model, "{}: merges: expected pieces of at most {} bytes, file has {}", file_,
                 kMaxMergedBytes, text.size());
        for (std::size_t i = 1; i < text.size(); ++i) {
            if (!begins_character(text[i]) || !known.contains(text.substr(0, i)) || !known.contains(text.substr(i)))
                continue;
            const std::string pair = std::string(text.substr(0, i)) + " " + std::string(text.substr(i));
            if (!pairs_.contains(pair)) refuse("no merge of", pair);
        }
    }
}

}  // namespace dragoman::formats
