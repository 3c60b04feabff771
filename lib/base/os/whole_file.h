// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/os/file.h"

namespace dragoman::os {

// A file that somebody named for what a program writes: it appears whole or not at all. It gets its name when all of it
// is written, and until then it has another one, or none where the system allows that. Functions return why they
// failed; an empty text: they did not.
class WholeFile {
public:
    // With `replace` an old file of this name is replaced, and gives its permissions to the new one; without it, such a
    // file is an error. Where the name is a symbolic link, that is done to what it leads to, but for links that
    // foreign_link() names. What is no regular file (a device, a named pipe) is not replaced: it gets the bytes as they
    // are written.
    [[nodiscard]] std::string open(const std::filesystem::path& path, bool replace = true);
    [[nodiscard]] std::string make_executable();  // by its owner, where systems know such a permission
    [[nodiscard]] std::string write(std::span<const std::byte> bytes);
    [[nodiscard]] std::string write(std::string_view bytes) { return write(std::as_bytes(std::span(bytes))); }
    [[nodiscard]] std::string finish();

private:
    bool replace_ = true;
    HiddenFile file_;
};

// Names the first symbolic link on the way from `path` to a file that is not to be followed (is_foreign_link()), and
// says so; empty: there is none.
std::string foreign_link(const std::filesystem::path& path);

// Why a file that is written at the end of some work could not be made; empty: it could. What is no regular file is not
// tried: a reader of a pipe would see it end. Leaves everything as it is.
std::string why_not_writable(const std::filesystem::path& path);

}  // namespace dragoman::os
