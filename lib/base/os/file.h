// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
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

// Whether a stream has this very file open, by whatever name; false for what is no regular file, such as a terminal.
bool is_open_as(std::FILE* stream, const std::filesystem::path& file);
bool have_one_file(std::FILE* one, std::FILE* other);

// Adds the names of all that is in a folder, but for . and .., in no particular order.
std::error_code list_names(const std::filesystem::path& folder, std::vector<std::filesystem::path>& names);

// Adds the files of a folder, and its links to files, in no particular order.
std::error_code list_files(const std::filesystem::path& folder, std::vector<FileEntry>& files);

// Whether this is a symbolic link of another user in a folder where everybody may make one and remove none but their own,
// such as /tmp. Many systems do not follow it, since it may lead to files that only who follows it may write.
bool is_foreign_link(const std::filesystem::path& link);

// A file that is read from any place, by any number of threads.
class ReadFile {
public:
    ReadFile() = default;
    ~ReadFile();
    ReadFile(const ReadFile&) = delete;
    ReadFile& operator=(const ReadFile&) = delete;

    // not_supported: a device, a pipe or the like.
    std::error_code open(const std::filesystem::path& path);
    uint64_t size() const { return size_; }  // when it was opened
    // `got` is less than there is room for only where the file ends.
    std::error_code read(uint64_t offset, std::span<std::byte> room, std::size_t& got) const;

private:
    std::intptr_t handle_ = -1;
    uint64_t size_ = 0;
};

// Addresses without memory, which must not be read before memory is put there (then it is zero). `address` and `size`
// of put_memory() are multiples of page_bytes().
std::size_t page_bytes();
std::error_code reserve_addresses(std::size_t size, std::byte*& address);
std::error_code put_memory(std::byte* address, std::size_t size);
void release_addresses(std::byte* address, std::size_t size);

// A new file that does not appear at `path` before it is published. Until then it has no name if the system can do
// that, otherwise a different one. It goes away with the object unless it was published.
class HiddenFile {
public:
    HiddenFile() = default;
    ~HiddenFile();
    HiddenFile(const HiddenFile&) = delete;
    HiddenFile& operator=(const HiddenFile&) = delete;

    // A file that is to be replaced gives the new one its permissions and, where that may be done, its owner.
    std::error_code create(const std::filesystem::path& path);
    // For a device, a pipe or the like, which cannot be replaced: what is written goes into it at once.
    std::error_code open_in_place(const std::filesystem::path& path);
    std::error_code make_executable();  // by its owner; does nothing where systems have no such permission
    std::error_code write(std::span<const std::byte> bytes);
    // Waits until the bytes are on the disk, gives them their name, and closes the file. With `replace` an old file of
    // that name is replaced; without it, such a file is an error.
    std::error_code publish(bool replace);

private:
    void close();
    std::filesystem::path path_, temporary_;  // temporary_ is empty while the file has no name
    std::intptr_t handle_ = -1;
    bool in_place_ = false;
};

}  // namespace dragoman::os
