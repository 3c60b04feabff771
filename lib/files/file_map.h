// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "files/file_bytes.h"

namespace dragoman {

// A whole file mapped read-only. Views into it live as long as the map.
// Throws Error{io_error} naming the path when it cannot be opened or mapped. An empty file is an empty span.
class FileMap {
public:
    explicit FileMap(const std::filesystem::path& path);
    ~FileMap();
    FileMap(FileMap&& other) noexcept;
    FileMap& operator=(FileMap&& other) noexcept;

    std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }
    const std::filesystem::path& path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
    const std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

// The bytes of a whole file, mapped. Throws what FileMap throws.
FileBytes map_file(const std::filesystem::path& path);

// Call this for a part of a mapped file that will hardly be read again: its pages leave the process's memory, and come
// back from the file if they are read all the same. The bytes must be a FileMap's.
void forget_pages(std::span<const std::byte> bytes);

}  // namespace dragoman
