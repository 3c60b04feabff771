// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <system_error>

// What must still be there after the power fails, and files that are written bit by bit. Errors are the system's.
namespace dragoman::os {

// Waits until a file's bytes, or a folder's list of names, are on the disk. Systems and file systems that cannot do it
// for folders do nothing.
std::error_code sync_file(const std::filesystem::path& file);
std::error_code sync_folder(const std::filesystem::path& folder);

// Whether both paths, which exist, are on one file system, so that a file can be renamed from one to the other.
bool on_one_volume(const std::filesystem::path& one, const std::filesystem::path& other);

// Exchanges two folders of one file system in one step. not_supported where the system cannot.
std::error_code exchange_folders(const std::filesystem::path& one, const std::filesystem::path& other);

// A file that grows at its end.
class GrowingFile {
public:
    GrowingFile() = default;
    ~GrowingFile();
    GrowingFile(const GrowingFile&) = delete;
    GrowingFile& operator=(const GrowingFile&) = delete;

    // Opens the file with its first `bytes` bytes and drops what lies behind them. Makes it where it is not there.
    std::error_code open(const std::filesystem::path& file, uint64_t bytes);
    // `written` says how much of it was written where an error ends it.
    std::error_code write(std::span<const std::byte> bytes, std::size_t& written);
    void close();

private:
    std::intptr_t handle_ = -1;
};

}  // namespace dragoman::os
