// SPDX-License-Identifier: Apache-2.0
#include "text/unigram.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cfloat>

#include "spec/sentencepiece_fields.h"

namespace dragoman::text {
namespace {

enum PieceKind : uint32_t { kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4, kUnused = 5, kByte = 6 };

using Fields = spec::SentencePieceFields;

// formats::check_sentencepiece has looked at what a map holds.
void read_map(std::string_view map, PieceRules& rules) {
    rules.rules = {};
    if (map.size() < 4) return;
    std::size_t size = 0;
    for (std::size_t i = 0; i < 4; ++i) size |= std::size_t(uint8_t(map[i])) << (i * 8);
    size = std::min(size, map.size() - 4);
    rules.rules = spec::DoubleArray(map.substr(4, size));
    rules.texts = map.substr(4 + size);
}

void read_normalizer(const FileBytes& file, std::string_view message, PieceRules& rules) {
    Fields fields(file, message);
    while (const auto field = fields.next()) {
        if (field->is_bytes(2)) read_map(field->bytes, rules);
        if (field->type != 0) continue;
        if (field->number == 3) rules.dummy_prefix = field->value != 0;
        if (field->number == 4) rules.removes_spaces = field->value != 0;
        if (field->number == 5) rules.escapes_spaces = field->value != 0;
    }
}

std::size_t character_size(std::string_view text, std::size_t at) {
    const auto byte = uint8_t(text[at]);
    const std::size_t size = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return std::min(size, text.size() - at);
}

}  // namespace

std::optional<Unigram> Unigram::read(const FileBytes& file) {
    constexpr uint32_t kPieces = 1, kTrainer = 2, kNormalizer = 3, kUnigramType = 1;
    Unigram model;
    uint32_t type = kUnigramType;
    Fields whole(file, file.text());
    while (const auto field = whole.next()) {
        if (field->is_bytes(kPieces)) {
            Entry& entry = model.entries_.emplace_back();
            Fields piece(file, field->bytes);
            while (const auto part = piece.next()) {
                if (part->is_bytes(1)) entry.text = part->bytes;
                if (part->number == 2 && part->type == 5) entry.score = std::bit_cast<float>(uint32_t(part->value));
                if (part->number == 3 && part->type == 0) entry.kind = uint32_t(part->value);
            }
        }
        if (field->is_bytes(kTrainer)) {
            Fields trainer(file, field->bytes);
            while (const auto part = trainer.next()) {
                if (part->type != 0) continue;
                if (part->number == 3) type = uint32_t(part->value);
                if (part->number == 24) model.rules_.spaces_behind = part->value != 0;
                if (part->number == 35) model.bytes_ = part->value != 0;
            }
        }
        if (field->is_bytes(kNormalizer)) read_normalizer(file, field->bytes, model.rules_);
    }
    if (type != kUnigramType) return std::nullopt;
    model.build();
    return model;
}

void Unigram::build() {
    constexpr float kUnknownPenalty = 10.0f;
    float smallest = FLT_MAX;
    largest_ = FLT_MIN;
    std::vector<int32_t> order;  // of pieces that texts may have
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const Entry& entry = entries_[i];
        if (entry.kind == kNormal) {
            smallest = std::min(smallest, entry.score);
            largest_ = std::max(largest_, entry.score);
        }
        if (entry.kind == kUserDefined) rules_.symbols.push_back(entry.text);
        if (entry.kind == kNormal || entry.kind == kUserDefined) order.push_back(int32_t(i));
    }
    unknown_ = smallest - kUnknownPenalty;
    std::ranges::sort(rules_.symbols);
    const auto text_of = [&](int32_t i) -> const std::string& { return entries_[std::size_t(i)].text; };
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
    const auto offer = [&](std::size_t begin, std::size_t end, int32_t entry, double sum) {
        Step& step = steps[end];
        if (step.begin == kUnreached || sum > double(step.sum)) step = {float(sum), entry, uint32_t(begin)};
    };
    for (std::size_t at = 0; at < normal.size();) {
        const std::size_t size = character_size(normal, at);
        const float before = steps[at].sum;
        bool has_character = false;
        const Node* node = &nodes_.front();
        for (std::size_t end = at; end < normal.size();) {
            node = child(*node, uint8_t(normal[end++]));
            if (!node) break;
            if (node->entry < 0) continue;
            const Entry& entry = entries_[std::size_t(node->entry)];
            const double score = entry.kind == kUserDefined ? double(float(end - at) * largest_) - 0.1
                                                            : double(entry.score);
            offer(at, end, node->entry, score + double(before));
            has_character |= end - at == size;
        }
        if (!has_character) offer(at, at + size, -1, double(unknown_ + before));
        at += size;
    }
    return steps;
}

void Unigram::add_unknown(std::vector<Piece>& pieces, std::string_view normal, Range range, bool joins) const {
    if (bytes_) {
        for (const char c : normal)
            pieces.push_back({fmt::format("<0x{:02X}>", uint8_t(c)), {range.begin, range.begin}, false});
        pieces.back().range = range;
    } else if (joins) {
        pieces.back().text += normal;
        pieces.back().range.end = range.end;
    } else {
        pieces.push_back({std::string(normal), range, false});
    }
}

std::vector<Unigram::Piece> Unigram::encode(std::string_view text) const {
    const PieceRules::Normal normal = rules_.normalize(text);
    const std::vector<Step> steps = best_steps(normal.text);
    std::vector<uint32_t> ends;
    for (std::size_t end = normal.text.size(); end > 0; end = steps[end].begin) ends.push_back(uint32_t(end));
    std::vector<Piece> pieces;
    bool after_unknown = false;
    for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
        const Step& step = steps[*end];
        const std::string_view piece = std::string_view(normal.text).substr(step.begin, *end - step.begin);
        const Range range{normal.source[step.begin], normal.source[*end]};
        if (step.entry < 0) add_unknown(pieces, piece, range, after_unknown);
        else pieces.push_back({std::string(piece), range, true, entries_[std::size_t(step.entry)].score});
        after_unknown = step.entry < 0;
    }
    return pieces;
}

}  // namespace dragoman::text
