// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>

// Files that survive the end of a process at any moment. What goes wrong comes back as the system's error.
namespace os {

// A file that one process at a time has open.
class LockedFile {
public:
    LockedFile() = default;
    ~LockedFile();
    LockedFile(const LockedFile&) = delete;
    LockedFile& operator=(const LockedFile&) = delete;

    // `create`: it must not be there yet. resource_unavailable_try_again: another process has it.
    std::error_code open(const std::filesystem::path& path, bool create);
    std::error_code size(uint64_t& bytes) const;
    std::error_code cut(uint64_t bytes);  // goes on there
    std::error_code write(std::string_view bytes);
    std::error_code sync();  // what was written is on the disk

private:
    std::intptr_t handle_ = -1;
};

// Writes a whole file and waits until it is on the disk.
std::error_code write_file(const std::filesystem::path& path, std::string_view bytes);

// Gives a file the name of another, which goes.
std::error_code replace_file(const std::filesystem::path& from, const std::filesystem::path& to);

// A name that was added or changed in a folder is on the disk once the folder is.
void sync_folder_of(const std::filesystem::path& path);

}  // namespace os
