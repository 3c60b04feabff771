// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace dragoman {

// A file that is there whole or not at all: it gets its name when all of it is written, and until then it has another
// one, or none where the system can do that. Throws io_error naming the path.
class NewFile {
public:
    // `replace`: an old file of this name is replaced; otherwise one is an error.
    NewFile(const std::filesystem::path& path, bool replace);
    ~NewFile();
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    void write(std::span<const std::byte> bytes);
    void finish();

private:
    [[noreturn]] void cannot(const char* verb) const;
    void close();
    std::filesystem::path path_;
    std::filesystem::path temporary_;  // empty: the file has no name yet
    bool replace_;
#ifdef _WIN32
    void* file_ = nullptr;
#else
    int file_ = -1;
#endif
};

}  // namespace dragoman
