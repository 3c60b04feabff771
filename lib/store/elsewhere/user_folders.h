// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

// Folders as programs in Python find them: on all systems by XDG's variables and in the user's own folder.
namespace dragoman::store {

// The folder that a variable names, with a leading "~" as the user's own folder; empty where it is not set.
std::filesystem::path named_folder(const char* variable);
// The folder that the first of these variables names that is set.
std::filesystem::path first_named_folder(std::initializer_list<const char*> variables);
// That folder, otherwise this one in the user's own folder; empty where there is none of both.
std::filesystem::path named_folder_or(const char* variable, const char* in_home);
// A path below a folder; empty where the folder is.
std::filesystem::path below(const std::filesystem::path& folder, std::string_view name);

}  // namespace dragoman::store
