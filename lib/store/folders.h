// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

namespace dragoman::store {

// The folders in a folder, and its links to folders, sorted by name: at most kMostFolders, without hidden ones. None
// where it cannot be read.
std::vector<std::filesystem::path> folders_in(const std::filesystem::path& folder);

inline constexpr std::size_t kMostFolders = 100'000;

}  // namespace dragoman::store
