// SPDX-License-Identifier: Apache-2.0
#include "formats/sentencepiece_file.h"

#include <fmt/format.h>
#include <sentencepiece_processor.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "files/file_budget.h"
#include "spec/double_array.h"
#include "spec/sentencepiece_fields.h"

namespace dragoman::formats {
namespace {

// The library goes a call deeper for every byte of a piece: 100 kB overflow a stack of 8 MiB (its issue 1263).
constexpr std::size_t kMaxPieceBytes = 4096;
// Room for matches of one text on the library's stack; it does not check their number (its pull request 1267).
constexpr std::size_t kMaxRules = 32, kMaxNestedSymbols = 64;
constexpr std::size_t kMaxFileBytes = INT32_MAX;  // the library counts in int
constexpr std::size_t kMaxMapBytes = std::size_t(1) << 24;  // of normalisation rules; NFKC's take 240 kB
constexpr uint32_t kBlockUnits = 256;

template <class... Args>
[[noreturn]] void wrong(const FileBytes& file, fmt::format_string<Args...> text, Args&&... args) {
    fail(Status::bad_model, "{}: SentencePiece model: {}", file.name, fmt::format(text, std::forward<Args>(args)...));
}

// Normalisation rules, of which the library must be able to read each.
class Rules {
public:
    Rules(const FileBytes& file, std::string_view bytes) : file_(file), units_(bytes) {}

    // Checks every unit that may be reached, and more: units that are no values lead into the array, their values into
    // a text of this size.
    void check_targets(std::size_t text_bytes) const {
        for (uint32_t i = 0; i < units_.size(); ++i) {
            if (i > 0 && !units_.is_step(i)) continue;
            if (units_.target(i) >= units_.size()) {
                wrong(file_, "normalization rules: unit {}: expected to lead to one of {} units, file has {}", i,
                      units_.size(), units_.target(i));
            }
            if (units_.has_value(i) && units_.value(i) >= text_bytes) {
                wrong(file_, "normalization rules: unit {}: expected an offset into {} bytes, file has {}", i,
                      text_bytes, units_.value(i));
            }
        }
    }

    // Checks that no text has more rules for its beginnings than the library has room for. Requires check_targets.
    void check_rules() const {
        const uint32_t size = units_.size();
        std::vector<uint32_t> first(size, size), next(size, size);  // steps from a block
        for (uint32_t i = 0; i < size; ++i)
            if (units_.is_step(i)) next[i] = std::exchange(first[i ^ units_.label(i)], i);
        constexpr uint8_t kUnreached = 255;
        std::vector<uint8_t> rules(size, kUnreached);  // the most on the way to a block
        std::vector<uint32_t> waiting{units_.target(0)};
        rules[units_.target(0)] = 0;
        while (!waiting.empty()) {
            const uint32_t block = waiting.back();
            waiting.pop_back();
            for (uint32_t i = first[block]; i < size; i = next[i]) {
                const auto count = static_cast<uint8_t>(rules[block] + (units_.has_value(i) ? 1 : 0));
                if (count > kMaxRules) {
                    wrong(file_, "normalization rules: unit {}: expected at most {} for one text, file has more", i,
                          kMaxRules);
                }
                uint8_t& known = rules[units_.target(i)];
                if (known != kUnreached && known >= count) continue;
                known = count;
                waiting.push_back(units_.target(i));
            }
        }
    }

private:
    const FileBytes& file_;
    spec::DoubleArray units_;
};

// The map has the size of a trie in bytes, the trie, and texts that end with NUL; the trie's values are offsets into
// them.
void check_rules(const FileBytes& file, std::string_view map) {
    if (map.empty()) return;
    if (map.size() < 4 || map.size() > kMaxMapBytes) {
        wrong(file, "normalization rules: expected 4 to {} bytes, file has {}", kMaxMapBytes, map.size());
    }
    uint64_t size = 0;
    for (std::size_t i = 0; i < 4; ++i) size |= uint64_t(static_cast<unsigned char>(map[i])) << (8 * i);
    if (size == 0 || size % (kBlockUnits * 4) != 0) {
        wrong(file, "normalization rules: expected whole blocks of {} bytes, file has {}", kBlockUnits * 4, size);
    }
    if (size >= map.size() - 4) {
        wrong(file, "normalization rules: expected fewer than {} bytes of units, file has {}", map.size() - 4, size);
    }
    const std::string_view texts = map.substr(4 + size);
    if (texts.back() != '\0') {
        wrong(file, "normalization rules: expected NUL at the end, file has 0x{:02x}",
              static_cast<unsigned char>(texts.back()));
    }
    const Rules rules(file, map.substr(4, size));
    rules.check_targets(texts.size());
    rules.check_rules();
}

void check_normalizer(const FileBytes& file, std::string_view bytes) {
    spec::SentencePieceFields normalizer(file, bytes);
    while (const auto field = normalizer.next())
        if (field->is_bytes(2)) check_rules(file, field->bytes);
}

// Adds the piece to `symbols` if it is user-defined.
void check_piece(const FileBytes& file, std::size_t index, std::string_view bytes,
                 std::vector<std::string_view>& symbols) {
    constexpr uint32_t kUserDefined = 4;
    std::string_view text;
    bool user_defined = false;
    spec::SentencePieceFields piece(file, bytes);
    while (const auto field = piece.next()) {
        user_defined |= field->number == 3 && field->type == 0 && static_cast<uint32_t>(field->value) == kUserDefined;
        if (!field->is_bytes(1)) continue;
        text = field->bytes;
        if (text.size() > kMaxPieceBytes) {
            wrong(file, "piece {}: expected at most {} bytes, file has {}", index, kMaxPieceBytes, text.size());
        }
        if (const auto nul = text.find('\0'); nul != text.npos) {  // the library's tries would end the piece there
            wrong(file, "piece {}: expected text, file has NUL in byte {}", index, nul);
        }
    }
    if (user_defined) symbols.push_back(text);
}

void check_nesting(const FileBytes& file, std::vector<std::string_view> symbols) {
    std::ranges::sort(symbols);
    std::vector<std::string_view> beginnings;  // beginnings of the piece that comes next
    for (const std::string_view symbol : symbols) {
        while (!beginnings.empty() && !symbol.starts_with(beginnings.back())) beginnings.pop_back();
        beginnings.push_back(symbol);
        if (beginnings.size() > kMaxNestedSymbols) {
            wrong(file, "user-defined symbols: expected at most {} that begin one another, file has {}",
                  kMaxNestedSymbols, beginnings.size());
        }
    }
}

}  // namespace

void check_sentencepiece(const FileBytes& file) {
    constexpr uint32_t kPiece = 1, kNormalizer = 3, kDenormalizer = 5;
    if (file.bytes.size() > kMaxFileBytes) {
        wrong(file, "expected at most {} bytes, file has {}", kMaxFileBytes, file.bytes.size());
    }
    std::vector<std::string_view> symbols;
    std::size_t pieces = 0;
    spec::SentencePieceFields model(file, file.text());
    while (const auto field = model.next()) {
        if (field->is_bytes(kPiece)) {
            check_vocabulary(file.name, pieces + 1);
            check_piece(file, pieces++, field->bytes, symbols);
        }
        if (field->is_bytes(kNormalizer) || field->is_bytes(kDenormalizer)) check_normalizer(file, field->bytes);
    }
    check_nesting(file, std::move(symbols));
}

bool has_any_piece(const FileBytes& file, const std::vector<std::string>& pieces) {
    sentencepiece::SentencePieceProcessor processor;
    const auto status = processor.LoadFromSerializedProto({file.text().data(), file.text().size()});
    if (!status.ok()) fail(Status::bad_model, "{}: not a SentencePiece model ({})", file.name, status.ToString());
    return std::ranges::any_of(pieces, [&](const std::string& piece) {
        return processor.PieceToId(piece) != processor.unk_id();
    });
}

}  // namespace dragoman::formats
