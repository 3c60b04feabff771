// SPDX-License-Identifier: Apache-2.0
// What keys of a GGUF file hold, as the types that are asked for.
#include <limits>

#include "base/utf8.h"
#include "formats/byte_reader.h"
#include "formats/gguf_file.h"

namespace dragoman::formats {
namespace {

using gguf::Value;

template <class T>
T load(std::span<const std::byte> bytes) {
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
}

std::optional<int64_t> to_integer(Value type, std::span<const std::byte> bytes) {
    switch (type) {
        case Value::u8: return load<uint8_t>(bytes);
        case Value::i8: return load<int8_t>(bytes);
        case Value::u16: return load<uint16_t>(bytes);
        case Value::i16: return load<int16_t>(bytes);
        case Value::u32: return load<uint32_t>(bytes);
        case Value::i32: return load<int32_t>(bytes);
        case Value::i64: return load<int64_t>(bytes);
        case Value::u64:
            if (const auto value = load<uint64_t>(bytes); value <= uint64_t(std::numeric_limits<int64_t>::max()))
                return static_cast<int64_t>(value);
            return std::nullopt;
        default: return std::nullopt;
    }
}

}  // namespace

void GgufFile::wrong(std::string_view key, std::string_view expected, std::string_view found) const {
    fail(Status::bad_model, "{}: {}: expected {}, file has {}", name_, key, expected, found);
}

std::string GgufFile::describe(const Stored& value) const {
    if (value.type != Value::array) return gguf::name(value.type);
    return fmt::format("an array of {}", gguf::name(value.element));
}

const GgufFile::Stored* GgufFile::find(std::string_view key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : &found->second;
}

std::optional<int64_t> GgufFile::integer(std::string_view key) const { return integer(values_, key); }

std::optional<int64_t> GgufFile::integer(const Values& values, std::string_view key) const {
    const auto value = values.find(key);
    if (value == values.end()) return std::nullopt;
    const auto number = to_integer(value->second.type, value->second.bytes);
    if (!number) wrong(key, "a whole number", describe(value->second));
    return number;
}

std::optional<float> GgufFile::real(std::string_view key) const {
    const Stored* value = find(key);
    if (!value) return std::nullopt;
    if (value->type == Value::f32) return load<float>(value->bytes);
    if (value->type == Value::f64) return static_cast<float>(load<double>(value->bytes));
    wrong(key, "a float32", describe(*value));
}

std::optional<bool> GgufFile::flag(std::string_view key) const {
    const Stored* value = find(key);
    if (!value) return std::nullopt;
    if (value->type != Value::boolean) wrong(key, "a boolean", describe(*value));
    const auto byte = load<uint8_t>(value->bytes);
    if (byte > 1) wrong(key, "0 or 1", std::to_string(byte));
    return byte == 1;
}

std::string GgufFile::checked_text(std::string_view key, std::span<const std::byte> bytes) const {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (const auto bad = first_invalid_utf8(text))
        wrong(key, "UTF-8", fmt::format("0x{:02x} at byte {}", static_cast<unsigned char>(text[*bad]), *bad));
    return std::string(text);
}

std::optional<std::string> GgufFile::text(std::string_view key) const {
    const Stored* value = find(key);
    if (!value) return std::nullopt;
    if (value->type != Value::string) wrong(key, "a text", describe(*value));
    return checked_text(key, value->bytes.subspan(sizeof(uint64_t)));
}

const GgufFile::Stored* GgufFile::find_array(std::string_view key, std::string_view expected,
                                             bool (*fits)(Value)) const {
    const Stored* value = find(key);
    if (value && (value->type != Value::array || !fits(value->element))) wrong(key, expected, describe(*value));
    return value;
}

std::optional<std::vector<std::string>> GgufFile::texts(std::string_view key) const {
    const Stored* value = find_array(key, "an array of texts", [](Value type) { return type == Value::string; });
    if (!value) return std::nullopt;
    std::vector<std::string> result;
    ByteReader in(value->bytes, name_);  // lengths were checked when the file was read
    for (uint64_t i = 0; i < value->count; ++i)
        result.push_back(checked_text(key, in.take(in.read<uint64_t>(key), key)));
    return result;
}

std::optional<std::vector<uint32_t>> GgufFile::numbers(std::string_view key) const {
    const Stored* value = find_array(key, "an array of uint32",
                                     [](Value type) { return type == Value::u32 || type == Value::i32; });
    if (!value) return std::nullopt;
    std::vector<uint32_t> result(value->count);
    if (!result.empty()) std::memcpy(result.data(), value->bytes.data(), value->bytes.size());
    return result;
}

std::optional<std::vector<float>> GgufFile::reals(std::string_view key) const {
    const Stored* value = find_array(key, "an array of float32", [](Value type) { return type == Value::f32; });
    if (!value) return std::nullopt;
    std::vector<float> result(value->count);
    if (!result.empty()) std::memcpy(result.data(), value->bytes.data(), value->bytes.size());
    return result;
}

std::optional<FileBytes> GgufFile::blob(std::string_view key) const {
    const Stored* value = find_array(key, "an array of uint8",
                                     [](Value type) { return type == Value::u8 || type == Value::i8; });
    if (!value) return std::nullopt;
    return FileBytes{.name = fmt::format("{}: {}", name_, key), .bytes = value->bytes, .owner = owner_};
}

}  // namespace dragoman::formats
