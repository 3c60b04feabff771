// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <system_error>

#include "base/os/file.h"

namespace dragoman {

// A file that appears whole or not at all: it gets its name when all of it is written, and until then it has another
// one, or none where the system allows that. Throws io_error naming the path.
class NewFile {
public:
    // With `replace` an old file of this name is replaced, and gives its permissions to the new one; without it, such a
    // file is an error. Where the name is a symbolic link, that is done to what it leads to. What is no regular file (a
    // device, a named pipe) is not replaced: it gets the bytes as they are written.
    NewFile(const std::filesystem::path& path, bool replace);

    void write(std::span<const std::byte> bytes);
    void finish();

private:
    void check(std::error_code error) const;
    std::filesystem::path path_;
    bool replace_;
    os::HiddenFile file_;
};

}  // namespace dragoman
