// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/file_bytes.h"
#include "formats/gguf_types.h"
#include "spec/weights.h"

namespace dragoman::formats {

bool looks_like_gguf(std::span<const std::byte> bytes);

// Keys and tensors of a GGUF file of version 2 or 3, as views into it. Messages name the file and the key. One that was
// split into several has its keys in the first of them.
class GgufFile {
public:
    struct Tensor {
        uint32_t type = 0;  // the file's number for it
        std::vector<uint32_t> shape;  // row-major: the file's dimensions in reverse order
        std::span<const std::byte> bytes;
    };
    using Tensors = std::map<std::string, Tensor, std::less<>>;

    // Throws bad_model (broken), unsupported (another version, byte order or architecture, an unknown type of tensor).
    // The architecture is checked before anything that only other architectures have.
    explicit GgufFile(const FileBytes& file) : GgufFile(std::span(&file, 1)) {}
    // All files that it was split into, in their order. Throws bad_model where they do not belong together.
    explicit GgufFile(std::span<const FileBytes> files);

    const std::string& name() const { return name_; }
    const std::string& architecture() const { return architecture_; }  // one of those in gguf_types.h
    bool has(std::string_view key) const { return values_.contains(key); }
    const Tensors& tensors() const { return tensors_; }

    // The value of a key, or nullopt where it is missing. Throws bad_model when it is of another kind. Whole numbers
    // may have any type that holds them.
    std::optional<int64_t> integer(std::string_view key) const;
    std::optional<float> real(std::string_view key) const;
    std::optional<bool> flag(std::string_view key) const;
    std::optional<std::string> text(std::string_view key) const;
    std::optional<std::vector<std::string>> texts(std::string_view key) const;
    std::optional<std::vector<uint32_t>> numbers(std::string_view key) const;  // an array of uint32 or int32
    std::optional<std::vector<float>> reals(std::string_view key) const;  // an array of float32
    std::optional<FileBytes> blob(std::string_view key) const;  // an array of uint8 or int8

    [[noreturn]] void wrong(std::string_view key, std::string_view expected, std::string_view found) const;

private:
    struct Stored {
        gguf::Value type{}, element{};  // element: type of an array's elements
        uint64_t count = 1;
        std::span<const std::byte> bytes;
    };
    class Parser;

    const Stored* find(std::string_view key) const;
    const Stored* find_array(std::string_view key, std::string_view expected, bool (*fits)(gguf::Value)) const;
    std::string describe(const Stored& value) const;
    std::string checked_text(std::string_view key, std::span<const std::byte> bytes) const;

    using Values = std::map<std::string, Stored, std::less<>>;
    std::optional<int64_t> integer(const Values& values, std::string_view key) const;
    void check_part(const Values& values, const std::string& name, std::size_t number, std::size_t count) const;
    void check_tensors() const;

    std::string name_, architecture_;
    std::shared_ptr<const void> owner_;
    Values values_;
    Tensors tensors_;
};

}  // namespace dragoman::formats
