// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <system_error>
#include <vector>

// File functions that the C++ library lacks. Errors are the system's.
namespace dragoman::os {

// The path in a form without a limit of length, where the system's usual form has one.
std::filesystem::path long_path(const std::filesystem::path& path);

struct FileEntry {
    std::filesystem::path name;
    uint64_t bytes;
};

// Adds the names of all that is in a folder, but for . and .., in no particular order.
std::error_code list_names(const std::filesystem::path& folder, std::vector<std::filesystem::path>& names);

// Adds the files of a folder, and its links to files, in no particular order.
std::error_code list_files(const std::filesystem::path& folder, std::vector<FileEntry>& files);

// Maps a whole file read-only; an empty file is an empty span. not_supported: a device, a pipe or the like.
std::error_code map_file(const std::filesystem::path& path, std::span<const std::byte>& bytes);
void unmap_file(std::span<const std::byte> bytes);

// Drops the pages that lie wholly within these bytes of a mapped file from the process's memory until they are read
// again.
void forget_pages(std::span<const std::byte> bytes);

// A new file that does not appear at `path` before it is published. Until then it has no name if the system can do
// that, otherwise a different one. It goes away with the object unless it was published.
class HiddenFile {
public:
    HiddenFile() = default;
    ~HiddenFile();
    HiddenFile(const HiddenFile&) = delete;
    HiddenFile& operator=(const HiddenFile&) = delete;

    std::error_code create(const std::filesystem::path& path);
    std::error_code write(std::span<const std::byte> bytes);
    // Waits until the bytes are on the disk, gives them their name, and closes the file. With `replace` an old file of
    // that name is replaced; without it, such a file is an error.
    std::error_code publish(bool replace);

private:
    void close();
    std::filesystem::path path_, temporary_;  // temporary_ is empty while the file has no name
    std::intptr_t handle_ = -1;
};

}  // namespace dragoman::os
