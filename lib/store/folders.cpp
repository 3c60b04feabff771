// SPDX-License-Identifier: Apache-2.0
#include "store/folders.h"

#include <algorithm>

#include "base/os/path_text.h"

namespace dragoman::store {
namespace fs = std::filesystem;

std::vector<fs::path> folders_in(const fs::path& folder) {
    std::vector<fs::path> folders;
    if (folder.empty()) return folders;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code gone;  // also a link that leads round in a circle
        if (text_of(entry->path().filename()).starts_with('.') || !entry->is_directory(gone)) continue;
        folders.push_back(entry->path());
        if (folders.size() == kMostFolders) break;
    }
    std::ranges::sort(folders);
    return folders;
}

}  // namespace dragoman::store
