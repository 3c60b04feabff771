// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

#include "files/file_bytes.h"

namespace dragoman {

// An address for every byte of a file, and memory for those that were fetched. Nothing else of the file is in memory,
// and reading it ends the process: call fetch() or copy_bytes() before. The system's own maps of files would end the
// process, too, and that of a host application, where another program cuts the file meanwhile; here it is an error.
// Throws Error{io_error} naming the path when it cannot be opened. An empty file is an empty span.
class FileMap {
public:
    explicit FileMap(const std::filesystem::path& path);
    ~FileMap();
    FileMap(FileMap&& other) noexcept;
    FileMap& operator=(FileMap&& other) noexcept;

    std::span<const std::byte> bytes() const noexcept;
    const std::filesystem::path& path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
    std::shared_ptr<class MappedFile> file_;
};

// The addresses of a file's bytes. Throws what FileMap throws.
FileBytes map_file(const std::filesystem::path& path);

// The bytes of a whole file in memory. Throws io_error naming the path, also where the file is cut meanwhile.
FileBytes read_whole(const std::filesystem::path& path);

// Brings bytes into memory, where they stay as long as the map; bytes that are no map's are there already. Any thread.
// Throws io_error naming the file, also where it is shorter than it was.
void fetch(std::span<const std::byte> bytes);
// The same for all of a file's bytes, which count as memory from then on.
void fetch(FileBytes& file);

// Copies bytes to `room`, which has as many, and leaves nothing else in memory. Any thread. Throws what fetch() throws.
void copy_bytes(std::span<const std::byte> bytes, std::byte* room);

}  // namespace dragoman
