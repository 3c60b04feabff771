// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "formats/sentencepiece_map.h"
#include "text/piece_table.h"

namespace dragoman::test {

struct PieceEntry {
    std::string text;
    float score = 0.0f;
    uint32_t kind = text::PieceTable::kNormal;
};

// A file of SentencePiece with "<unk>" before the entries; `trainer` is added to its settings.
inline std::string sentencepiece_bytes(const std::vector<PieceEntry>& entries, uint32_t type,
                                       bool byte_fallback = false, const std::string& trainer = {}) {
    std::string bytes = piece("<unk>", text::PieceTable::kUnknown);
    for (const PieceEntry& entry : entries)
        bytes += field(1, field(1, entry.text) + "\x15" + little_endian(std::bit_cast<uint32_t>(entry.score), 4) +
                              "\x18" + number(entry.kind));
    return bytes + field(2, "\x18" + number(type) + "\x98\x02" + number(byte_fallback) + trainer);
}

inline FileBytes file_of(std::string bytes) {
    const auto owner = std::make_shared<const std::string>(std::move(bytes));
    return {.name = "a.spm", .bytes = std::as_bytes(std::span(*owner)), .owner = owner};
}

// Pieces for the bytes that stand for unknown characters.
inline std::vector<PieceEntry> with_byte_pieces(std::vector<PieceEntry> entries) {
    constexpr char kDigits[] = "0123456789ABCDEF";
    for (int byte = 0; byte < 256; ++byte)
        entries.push_back({std::string("<0x") + kDigits[byte >> 4] + kDigits[byte & 15] + ">", 0.0f,
                           text::PieceTable::kByte});
    return entries;
}

inline std::vector<std::string> texts_of(const std::vector<text::Piece>& pieces) {
    std::vector<std::string> texts;
    for (const text::Piece& piece : pieces) texts.push_back(piece.text);
    return texts;
}

}  // namespace dragoman::test
