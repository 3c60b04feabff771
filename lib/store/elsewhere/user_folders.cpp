// SPDX-License-Identifier: Apache-2.0
#include "store/elsewhere/user_folders.h"

#include "base/environment.h"
#include "base/os/path_text.h"

namespace dragoman::store {
namespace fs = std::filesystem;

fs::path below(const fs::path& folder, std::string_view name) {
    return folder.empty() ? fs::path() : folder / path_of(name);
}

fs::path named_folder(const char* variable) {
    const std::string value = environment(variable);
    if (value == "~") return os::home_folder();
    if (value.starts_with("~/")) return below(os::home_folder(), std::string_view(value).substr(2));
    return path_of(value);
}

fs::path first_named_folder(std::initializer_list<const char*> variables) {
    for (const char* variable : variables)
        if (fs::path folder = named_folder(variable); !folder.empty()) return folder;
    return {};
}

fs::path named_folder_or(const char* variable, const char* in_home) {
    fs::path named = named_folder(variable);
    return named.empty() ? below(os::home_folder(), in_home) : named;
}

}  // namespace dragoman::store
