// SPDX-License-Identifier: Apache-2.0
#include "text/piece_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "spec/sentencepiece_fields.h"

namespace dragoman::text {
namespace {

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

void read_trainer(const FileBytes& file, std::string_view message, PieceTable& table) {
    Fields fields(file, message);
    while (const auto field = fields.next()) {
        if (field->type != 0) continue;
        if (field->number == 3) table.type = uint32_t(field->value);
        if (field->number == 24) table.rules.spaces_behind = field->value != 0;
        if (field->number == 35) table.bytes = field->value != 0;
        if (field->number == spec::kSentencePieceSumsInDouble) table.sums_in_double = field->value != 0;
        if (field->number == spec::kSentencePieceRulesOfClusters) table.rules.of_clusters = field->value != 0;
    }
}

PieceTable::Entry read_entry(const FileBytes& file, std::string_view message) {
    PieceTable::Entry entry;
    Fields fields(file, message);
    while (const auto field = fields.next()) {
        if (field->is_bytes(1)) entry.text = field->bytes;
        if (field->number == 2 && field->type == 5) entry.score = std::bit_cast<float>(uint32_t(field->value));
        if (field->number == 3 && field->type == 0) entry.kind = uint32_t(field->value);
    }
    return entry;
}

void add_bytes(std::vector<Piece>& pieces, std::string_view unknown, Range range) {
    for (const char c : unknown)
        pieces.push_back({fmt::format("<0x{:02X}>", uint8_t(c)), {range.begin, range.begin}, false});
    pieces.back().range = range;
}

}  // namespace

PieceTable PieceTable::read(const FileBytes& file) {
    constexpr uint32_t kPieces = 1, kTrainer = 2, kNormalizer = 3;
    PieceTable table;
    Fields whole(file, file.text());
    while (const auto field = whole.next()) {
        if (field->is_bytes(kPieces)) table.entries.push_back(read_entry(file, field->bytes));
        if (field->is_bytes(kTrainer)) read_trainer(file, field->bytes, table);
        if (field->is_bytes(kNormalizer)) read_normalizer(file, field->bytes, table.rules);
    }
    for (const Entry& entry : table.entries)
        if (entry.kind == kUserDefined) table.rules.symbols.push_back(entry.text);
    std::ranges::sort(table.rules.symbols);
    return table;
}

std::vector<Piece> PieceTable::pieces(const PieceRules::Normal& normal, std::span<const Cut> cuts) const {
    std::vector<Piece> found;
    found.reserve(cuts.size());
    bool after_unknown = false;
    for (const Cut& cut : cuts) {
        const std::string_view text = std::string_view(normal.text).substr(cut.begin, cut.end - cut.begin);
        const Range range{normal.source[cut.begin], normal.source[cut.end]};
        if (cut.entry >= 0) {
            found.push_back({std::string(text), range, true, entries[std::size_t(cut.entry)].score});
        } else if (bytes) {
            add_bytes(found, text, range);
        } else if (after_unknown) {
            found.back().text += text;
            found.back().range.end = range.end;
        } else {
            found.push_back({std::string(text), range, false});
        }
        after_unknown = cut.entry < 0;
    }
    return found;
}

std::unordered_map<std::string_view, int32_t> PieceTable::by_text() const {
    std::unordered_map<std::string_view, int32_t> found;
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (const uint32_t kind = entries[i].kind; kind == kNormal || kind == kUserDefined || kind == kUnused)
            found.emplace(entries[i].text, int32_t(i));
    return found;
}

std::size_t character_size(std::string_view text, std::size_t at) {
    const auto byte = uint8_t(text[at]);
    const std::size_t size = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return std::min(size, text.size() - at);
}

}  // namespace dragoman::text
