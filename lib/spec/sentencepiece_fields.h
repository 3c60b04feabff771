// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "files/file_bytes.h"

// The messages of sentencepiece_model.proto, as protobuf writes them.
namespace dragoman::spec {

// Fields of the trainer's settings that only Dragoman knows, of those that SentencePiece leaves to others, for models that
// came in a tokenizer.json: scores are added in double precision; rules of normalisation are those of tokenizers.
inline constexpr uint32_t kSentencePieceSumsInDouble = 1001, kSentencePieceRulesOfClusters = 1002;

struct SentencePieceField {
    uint32_t number = 0, type = 0;
    uint64_t value = 0;  // types 0 and 5
    std::string_view bytes{};  // type 2
    bool is_bytes(uint32_t n) const { return number == n && type == 2; }
};

// The fields of a message, one after the other; `bytes` are the file's. Throws bad_model, naming the byte.
class SentencePieceFields {
public:
    SentencePieceFields(const FileBytes& file, std::string_view bytes) : file_(file), rest_(bytes) {}

    std::optional<SentencePieceField> next() {
        if (rest_.empty()) return std::nullopt;
        const std::size_t begin = at();
        const uint64_t tag = number();
        if (tag > UINT32_MAX) wrong("byte {}: expected a tag of at most {}, file has {}", begin, UINT32_MAX, tag);
        SentencePieceField field{.number = static_cast<uint32_t>(tag >> 3), .type = static_cast<uint32_t>(tag & 7)};
        switch (field.type) {
            case 0: field.value = number(); break;
            case 1: take(8); break;
            case 2: field.bytes = take(number()); break;
            case 5: field.value = fixed(take(4)); break;
            default: wrong("byte {}: expected a field of type 0, 1, 2 or 5, file has {}", begin, field.type);
        }
        return field;
    }

private:
    template <class... Args>
    [[noreturn]] void wrong(fmt::format_string<Args...> text, Args&&... args) const {
        fail(Status::bad_model, "{}: SentencePiece model: {}", file_.name,
             fmt::format(text, std::forward<Args>(args)...));
    }

    static uint64_t fixed(std::string_view bytes) {
        uint64_t value = 0;
        for (std::size_t i = 0; i < bytes.size(); ++i) value |= uint64_t(uint8_t(bytes[i])) << (8 * i);
        return value;
    }

    std::size_t at() const { return static_cast<std::size_t>(rest_.data() - file_.text().data()); }

    std::string_view take(uint64_t size) {
        if (size > rest_.size()) wrong("byte {}: expected {} bytes, file has {}", at(), size, rest_.size());
        const std::string_view taken = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return taken;
    }

    uint64_t number() {
        const std::size_t begin = at();
        uint64_t value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            const auto byte = static_cast<unsigned char>(take(1)[0]);
            value |= uint64_t(byte & 0x7f) << shift;
            if (byte < 0x80) return value;
        }
        wrong("byte {}: expected a number of at most 10 bytes, file has more", begin);
    }

    const FileBytes& file_;
    std::string_view rest_;
};

}  // namespace dragoman::spec
