// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "files/file_set.h"
#include "formats/checkpoint.h"

namespace dragoman::test {

inline FileBytes fuzz_file(const uint8_t* data, std::size_t size) {
    return {.name = "input", .bytes = std::as_bytes(std::span(data, size)), .owner = nullptr};
}

// Bad input may be refused, by an Error that blames the file; everything else is a fault of the reader.
template <class Read>
int refusing(Read&& read) {
    try {
        read();
    } catch (const Error& error) {
        switch (error.status()) {
            case Status::bad_model:
            case Status::unsupported:
            case Status::io_error:
            case Status::out_of_memory: return 0;
            default: std::fprintf(stderr, "status %d: %s\n", int(error.status()), error.what()); std::abort();
        }
    }
    return 0;
}

// Reads every byte, and so that the compiler cannot leave it out.
inline void touch(std::span<const std::byte> bytes) {
    for (const std::byte& byte : bytes) (void)*static_cast<const volatile std::byte*>(&byte);
}

// Every byte of a tensor, which has as many as its type and shape say.
inline void touch_all(const spec::HostTensor& tensor) {
    uint64_t elements = 0;
    for (const spec::HostTensor& part : tensor.parts) {
        touch_all(part);
        elements += part.elements();
    }
    if (!tensor.parts.empty()) {
        DRAGOMAN_ASSERT(elements == tensor.elements());
        return;
    }
    DRAGOMAN_ASSERT(tensor.bytes.size() == size_bytes(tensor.dtype, tensor.elements()));
    touch(tensor.bytes);
}

// Asks a checkpoint for every tensor as it describes it.
inline void read_all(const formats::Checkpoint& checkpoint) {
    for (const auto& item : checkpoint.tensors()) {
        refusing([&] {
            const spec::HostTensor found = checkpoint.floats(item.first, item.second.shape);
            touch_all(found);
        });
    }
}

// Files in memory.
class MemoryFiles final : public FileSet {
public:
    explicit MemoryFiles(std::vector<FileBytes> files) : files_(std::move(files)) {
        std::vector<std::string> names;
        for (const FileBytes& file : files_) names.push_back(file.name);
        list(std::move(names));
    }
    std::shared_ptr<const FileSet> folder(std::string_view) const override { return nullptr; }

private:
    FileBytes load(const std::string& name) const override {
        for (const FileBytes& file : files_)
            if (file.name == name) return file;
        fail(Status::io_error, "{}: no such file", name);
    }
    std::vector<FileBytes> files_;
};

}  // namespace dragoman::test
