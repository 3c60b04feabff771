// SPDX-License-Identifier: Apache-2.0
#include "store/folders.h"

#include <algorithm>

#include "base/os/file.h"
#include "base/os/path_text.h"

namespace dragoman::store {
namespace fs = std::filesystem;

std::vector<fs::path> folders_in(const fs::path& folder) {
    std::vector<fs::path> folders;
    if (folder.empty()) return folders;
    std::vector<fs::path> names;
    os::list_names(folder, names);
    for (const fs::path& name : names) {
        std::error_code gone;  // also a link that leads round in a circle
        if (text_of(name).starts_with('.') || !fs::is_directory(folder / name, gone)) continue;
        folders.push_back(folder / name);
        if (folders.size() == kMostFolders) break;
    }
    std::ranges::sort(folders);
    return folders;
}

}  // namespace dragoman::store
