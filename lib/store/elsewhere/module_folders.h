// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "store/elsewhere/folder_files.h"

namespace dragoman::store {

// The bytes of the folders beneath an encoder of sentences that its modules.json names; 0 without such a file, nullopt
// where settings of a module are missing. Throws bad_model for another list.
std::optional<uint64_t> bytes_of_modules(const std::filesystem::path& folder, const FolderFiles& files);

}  // namespace dragoman::store
