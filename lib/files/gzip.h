// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "files/file_bytes.h"

namespace dragoman {

inline constexpr std::string_view kGzipEnd = ".gz";

// The content of a .gz file (of all its members), called `name` in messages. Throws bad_model for data that is not
// gzip, is cut off, fails its checksum or has trailing bytes, out_of_memory for too much of it.
FileBytes gunzip(const FileBytes& packed, std::string name);

}  // namespace dragoman
