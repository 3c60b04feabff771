// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace dragoman::store {

// The files in a folder by their names, with their bytes, and the files that its links lead to in however many steps;
// no links that lead nowhere or round in a circle. None where the folder cannot be read.
using FolderFiles = std::map<std::string, uint64_t, std::less<>>;
FolderFiles files_in(const std::filesystem::path& folder);
uint64_t bytes_of(const FolderFiles& files);

}  // namespace dragoman::store
