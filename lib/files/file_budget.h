// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dragoman {

// The most that a model's file may take, known by its name: what published files of its kind never come near. All
// readers and unpackers ask here, before they have memory for what they read. docs/hostile.md lists the bounds.
struct FileBudget {
    std::string_view kind;  // "settings"
    uint64_t bytes = 0;     // unpacked
    uint64_t values = 0;    // of JSON: objects, lists, texts and numbers
};

inline constexpr int kMaxJsonLevels = 64;
// Tokens, lines, merges or pieces: the largest published vocabularies have a million.
inline constexpr std::size_t kMaxVocabularyEntries = std::size_t(1) << 21;
// Weights hardly pack: data that unpacks to more than the first is refused if it grows by more than the second.
inline constexpr uint64_t kFreeUnpackedBytes = uint64_t(1) << 28, kMaxWeightsRatio = 64;
// Deflated data expands to at most this many times its size: a larger claim is forged.
inline constexpr uint64_t kMaxDeflateRatio = 1032;

// `name` may be a path, or a file in an archive ("x.zip: folder/config.json").
const FileBudget& budget_of(std::string_view name);

// Throws bad_model naming the file, the limit and the size. `label` names the file in the message.
void check_file_bytes(std::string_view label, std::string_view name, uint64_t bytes);

// The most that `packed` bytes may unpack to, for a file of that name.
uint64_t most_unpacked(std::string_view name, uint64_t packed);
// Throws bad_model for more than that; `bytes` is what it unpacks to at least.
void check_unpacked(std::string_view label, std::string_view name, uint64_t packed, uint64_t bytes);

// Throws bad_model where a vocabulary, or a list like it, has too many entries.
void check_vocabulary(std::string_view label, std::size_t entries);

}  // namespace dragoman
