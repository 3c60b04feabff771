// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "files/file_bytes.h"

namespace dragoman {

inline constexpr std::string_view kZstdEnd = ".zst";

// The content of a .zst file (of all its frames), called `name` in messages. Throws bad_model for data that is not
// Zstandard's, is cut off or fails its checksum, out_of_memory for too much of it, unsupported in a library that was
// built without zstd.
FileBytes unzstd(const FileBytes& packed, std::string name);

}  // namespace dragoman
