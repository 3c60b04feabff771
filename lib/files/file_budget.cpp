// SPDX-License-Identifier: Apache-2.0
#include "files/file_budget.h"

#include <algorithm>
#include <initializer_list>

#include "base/error.h"

namespace dragoman {
namespace {

constexpr uint64_t kMiB = uint64_t(1) << 20;

// The largest published tokenizer.json have some 100 MB and three million values, settings some 100 kB, the index of a
// checkpoint in hundreds of files some MB. The header of safetensors has a limit of the format itself.
constexpr FileBudget kSettings{"settings", 64 * kMiB, uint64_t(1) << 20};
constexpr FileBudget kVocabularies{"vocabulary", 256 * kMiB, uint64_t(1) << 23};
constexpr FileBudget kHeaders{"header", 100'000'000, uint64_t(1) << 23};
constexpr FileBudget kPickles{"pickle", 16 * kMiB, 0};  // which have values of their own
constexpr FileBudget kWeights{"weights", uint64_t(1) << 36, uint64_t(1) << 23};  // JSON may be in them

bool ends_with_one_of(std::string_view name, std::initializer_list<std::string_view> ends) {
    return std::ranges::any_of(ends, [&](std::string_view end) { return name.ends_with(end); });
}

}  // namespace

const FileBudget& budget_of(std::string_view name) {
    const auto place = name.find_last_of("/\\");
    if (place != name.npos) name.remove_prefix(place + 1);
    if (name.ends_with(": header")) return kHeaders;
    const bool has_json = ends_with_one_of(name, {".json", ".yml", ".yaml"});
    const bool lists_tokens = name.find("vocab") != name.npos || name.find("tokenizer.") != name.npos ||
                              name.find("merges") != name.npos || name.find("dict") != name.npos;
    if (has_json) return lists_tokens ? kVocabularies : kSettings;
    if (ends_with_one_of(name, {".txt", ".vocab", ".tsv", ".bpe", ".spm", ".model", ".vcb", ".dict"}))
        return kVocabularies;
    if (ends_with_one_of(name, {".md", ".py", "LICENSE", "README", "byteorder", "version"})) return kSettings;
    if (name == "data.pkl") return kPickles;
    return kWeights;
}

void check_file_bytes(std::string_view label, std::string_view name, uint64_t bytes) {
    const FileBudget& budget = budget_of(name);
    if (bytes > budget.bytes)
        fail(Status::bad_model, "{}: expected at most {} bytes of {}, file has {}", label, budget.bytes, budget.kind,
             bytes);
}

uint64_t most_unpacked(std::string_view name, uint64_t packed) {
    const uint64_t bytes = budget_of(name).bytes;
    const uint64_t grown = packed > bytes / kMaxWeightsRatio ? bytes : packed * kMaxWeightsRatio;
    return std::min(bytes, std::max(kFreeUnpackedBytes, grown));
}

void check_unpacked(std::string_view label, std::string_view name, uint64_t packed, uint64_t bytes) {
    const uint64_t most = most_unpacked(name, packed);
    if (bytes > most)
        fail(Status::bad_model, "{}: expected at most {} bytes of {} in {} packed ones, file has {}", label, most,
             budget_of(name).kind, packed, bytes);
}

void check_vocabulary(std::string_view label, std::size_t entries) {
    if (entries > kMaxVocabularyEntries)
        fail(Status::bad_model, "{}: expected at most {} entries, file has {}", label, kMaxVocabularyEntries, entries);
}

}  // namespace dragoman
