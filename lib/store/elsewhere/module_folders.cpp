// SPDX-License-Identifier: Apache-2.0
#include "store/elsewhere/module_folders.h"

#include <set>

#include "base/error.h"
#include "base/os/path_text.h"
#include "store/elsewhere/plain_name.h"
#include "store/json_file.h"

namespace dragoman::store {
namespace fs = std::filesystem;
namespace {

constexpr const char *kModules = "modules.json", *kSettings = "config.json";

// Others than these need no file, and a cache of Git's files has no empty folder.
bool has_settings(const std::string& type) {
    const std::string kind = type.substr(type.rfind('.') + 1);
    return kind == "Pooling" || kind == "Dense";
}

nlohmann::json read_list(const fs::path& file) {
    auto list = nlohmann::json::parse(read_beginning(file, kMaxTextBytes), nullptr, false);
    if (!list.is_array()) fail(Status::bad_model, "{}: expected a list of modules", text_of(file));
    return list;
}

}  // namespace

std::optional<uint64_t> bytes_of_modules(const fs::path& folder, const FolderFiles& files) {
    if (!files.contains(kModules)) return 0;
    uint64_t bytes = 0;
    std::set<std::string> counted;
    for (const nlohmann::json& module : read_list(folder / kModules)) {
        const std::string type = module.is_object() ? text_in(module, "type") : "";
        const std::string path = module.is_object() ? text_in(module, "path") : "";
        const FolderFiles inside = is_plain_name(path) ? files_in(folder / path_of(path)) : FolderFiles();
        if (has_settings(type) && !inside.contains(kSettings)) return std::nullopt;
        if (counted.insert(path).second) bytes += bytes_of(inside);
    }
    return bytes;
}

}  // namespace dragoman::store
