// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "registry/entry.h"

namespace dragoman::registry {

// By the end of a file's name: ".zip", ".tar", ".tar.gz", ".tgz" and the like, ".argosmodel" are archives, other ".gz"
// and ".zst" are packed files.
Packing packing_of(std::string_view file_name);

// The name without ".gz" or ".zst".
std::string unpacked_name(std::string_view file_name);

}  // namespace dragoman::registry
