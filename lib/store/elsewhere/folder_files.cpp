// SPDX-License-Identifier: Apache-2.0
#include "store/elsewhere/folder_files.h"

#include "base/os/file.h"
#include "base/os/path_text.h"

namespace dragoman::store {

FolderFiles files_in(const std::filesystem::path& folder) {
    std::vector<os::FileEntry> entries;
    if (os::list_files(folder, entries)) return {};
    FolderFiles files;
    for (const os::FileEntry& entry : entries) files.emplace(text_of(entry.name), entry.bytes);
    return files;
}

uint64_t bytes_of(const FolderFiles& files) {
    uint64_t bytes = 0;
    for (const auto& [name, size] : files) bytes += size;
    return bytes;
}

}  // namespace dragoman::store
