// SPDX-License-Identifier: Apache-2.0
#include "text/unigram.h"

#include <algorithm>
#include <cfloat>

namespace dragoman::text {

Unigram::Unigram(PieceTable table) : table_(std::move(table)) { build(); }

void Unigram::build() {
    constexpr float kUnknownPenalty = 10.0f;
    const auto& entries = table_.entries;
    float smallest = FLT_MAX;
    largest_ = FLT_MIN;
    std::vector<int32_t> order;  // of pieces that texts may have
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const PieceTable::Entry& entry = entries[i];
        if (entry.kind == PieceTable::kNormal) {
            smallest = std::min(smallest, entry.score);
            largest_ = std::max(largest_, entry.score);
        }
        if (entry.kind == PieceTable::kNormal || entry.kind == PieceTable::kUserDefined) order.push_back(int32_t(i));
    }
    unknown_ = table_.sums_in_double ? double(smallest) - kUnknownPenalty : double(smallest - kUnknownPenalty);
    const auto text_of = [&](int32_t i) -> const std::string& { return entries[std::size_t(i)].text; };
    std::ranges::sort(order, {}, text_of);
    // Level by level: the pieces that begin with a node's bytes are a range of the sorted ones.
    std::vector<Range> below{{0, order.size()}};
    nodes_.emplace_back();
    for (std::size_t depth = 0, level = 0; level < nodes_.size(); ++depth) {
        for (const std::size_t end = nodes_.size(); level < end; ++level) {
            Range rest = below[level];
            if (rest.size() > 0 && text_of(order[rest.begin]).size() == depth)
                nodes_[level].entry = order[rest.begin++];
            nodes_[level].first = uint32_t(nodes_.size());
            while (rest.size() > 0) {
                const auto byte = uint8_t(text_of(order[rest.begin])[depth]);
                const auto last = std::partition_point(order.begin() + std::ptrdiff_t(rest.begin),
                                                       order.begin() + std::ptrdiff_t(rest.end),
                                                       [&](int32_t i) { return uint8_t(text_of(i)[depth]) == byte; });
                nodes_.push_back({.byte = byte});
                ++nodes_[level].children;
                const auto end_of = std::size_t(last - order.begin());
                below.push_back({rest.begin, end_of});
                rest.begin = end_of;
            }
        }
    }
}

const Unigram::Node* Unigram::child(const Node& node, uint8_t byte) const {
    const auto first = nodes_.begin() + node.first, last = first + node.children;
    const auto found = std::lower_bound(first, last, byte, [](const Node& n, uint8_t b) { return n.byte < b; });
    return found != last && found->byte == byte ? &*found : nullptr;
}

// A sum is compared before it is rounded to float with one that has been: that decides between equal ones.
std::vector<Unigram::Step> Unigram::best_steps(std::string_view normal) const {
    std::vector<Step> steps(normal.size() + 1);
    const bool rounds = !table_.sums_in_double;
    const auto offer = [&](std::size_t begin, std::size_t end, int32_t entry, double sum) {
        Step& step = steps[end];
        if (step.begin == kUnreached || sum > step.sum)
            step = {rounds ? double(float(sum)) : sum, entry, uint32_t(begin)};
    };
    for (std::size_t at = 0; at < normal.size();) {
        const std::size_t size = character_size(normal, at);
        const double before = steps[at].sum;
        bool has_character = false;
        const Node* node = &nodes_.front();
        for (std::size_t end = at; end < normal.size();) {
            node = child(*node, uint8_t(normal[end++]));
            if (!node) break;
            if (node->entry < 0) continue;
            const PieceTable::Entry& entry = table_.entries[std::size_t(node->entry)];
            const double score = entry.kind == PieceTable::kUserDefined ? double(float(end - at) * largest_) - 0.1
                                                                        : double(entry.score);
            offer(at, end, node->entry, score + before);
            has_character |= end - at == size;
        }
        if (!has_character) offer(at, at + size, -1, rounds ? double(float(unknown_ + before)) : unknown_ + before);
        at += size;
    }
    return steps;
}

std::vector<Piece> Unigram::encode(std::string_view text) const {
    const PieceRules::Normal normal = table_.rules.normalize(text);
    const std::vector<Step> steps = best_steps(normal.text);
    std::vector<PieceTable::Cut> cuts;
    for (std::size_t end = normal.text.size(); end > 0; end = steps[end].begin)
        cuts.push_back({steps[end].begin, uint32_t(end), steps[end].entry});
    std::ranges::reverse(cuts);
    return table_.pieces(normal, cuts);
}

}  // namespace dragoman::text
