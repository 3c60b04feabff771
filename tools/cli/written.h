// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "base/os/whole_file.h"

namespace cli {

// Why a write failed, where errno was 0 before it.
inline std::string write_error() { return errno ? std::strerror(errno) : "cannot be written"; }

// A file that appears whole or not at all, see os::WholeFile. All throw Failure, which names it and says why.
class WrittenFile {
public:
    explicit WrittenFile(const std::string& path);
    void write(std::string_view bytes);
    void finish();

private:
    void check(const std::string& why) const;
    std::string path_;
    dragoman::os::WholeFile file_;
};

void write_file(const std::string& path, std::string_view bytes);
void write_file(const std::string& path, std::span<const uint8_t> bytes);

// Before the work, for a file that is written at its end; empty: there is none. Throws Failure.
void check_can_be_written(const std::string& path);

}  // namespace cli
