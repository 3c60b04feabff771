// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

namespace cli {

// Why a write failed, where errno was 0 before it.
inline std::string write_error() { return errno ? std::strerror(errno) : "cannot be written"; }

// Writes a whole file. Throws Failure, which names it and says why.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace cli
