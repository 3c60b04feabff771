// SPDX-License-Identifier: Apache-2.0
#include "registry/packing.h"

#include <algorithm>
#include <array>

namespace dragoman::registry {

Packing packing_of(std::string_view file_name) {
    static constexpr std::array<std::string_view, 12> kArchives = {".zip",     ".tar",  ".tar.gz", ".tgz",
                                                                   ".tar.zst", ".tzst", ".tar.xz", ".txz",
                                                                   ".tar.bz2", ".tbz2", ".tbz",    ".argosmodel"};
    const auto ends = [&](std::string_view suffix) { return file_name.ends_with(suffix); };
    if (std::ranges::any_of(kArchives, ends)) return Packing::archive;
    return ends(".gz") || ends(".zst") ? Packing::file : Packing::none;
}

std::string unpacked_name(std::string_view file_name) {
    for (const std::string_view suffix : {".gz", ".zst"})
        if (file_name.ends_with(suffix) && file_name.size() > suffix.size())
            return std::string(file_name.substr(0, file_name.size() - suffix.size()));
    return std::string(file_name);
}

}  // namespace dragoman::registry
