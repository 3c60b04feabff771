// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "base/os/whole_file.h"

namespace dragoman {

// os::WholeFile for the library: throws io_error naming the path.
class NewFile {
public:
    NewFile(const std::filesystem::path& path, bool replace);

    void write(std::span<const std::byte> bytes);
    void finish();

private:
    void check(const std::string& why) const;
    std::filesystem::path path_;
    os::WholeFile file_;
};

}  // namespace dragoman
