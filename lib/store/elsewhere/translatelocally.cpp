// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/os/environment.h"
#include "base/os/path_text.h"
#include "store/elsewhere/elsewhere.h"
#include "store/elsewhere/folder_files.h"
#include "store/elsewhere/plain_name.h"
#include "store/elsewhere/user_folders.h"
#include "store/folders.h"
#include "store/json_file.h"

namespace dragoman::store {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kBeingUnpacked = "extracting-";

bool has_model(const FolderFiles& files) {
    const auto any = [&](auto test) {
        return std::ranges::any_of(files, [&](const auto& file) { return test(file.first); });
    };
    const auto is_configuration = [](const std::string& name) {
        return name.starts_with("config.") && name.ends_with(".yml");
    };
    const auto is_weights = [](const std::string& name) {
        return name.ends_with(".npz") || (name.ends_with(".bin") && !name.starts_with("lex."));
    };
    return any(is_configuration) && any(is_weights);
}

uint64_t whole_number(const nlohmann::json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number_unsigned() ? found->get<uint64_t>() : 0;
}

struct Versioned {
    uint64_t version = 0;
    Installed model;
};

// A newer version of a model lies beside the older one until that is deleted.
void add_folder(const fs::path& folder, std::map<std::string, Versioned>& models) {
    nlohmann::json info;
    try {
        info = read_json_file(folder / "model_info.json");
    } catch (const Error&) {
        return;
    }
    const std::string short_name = text_in(info, "shortName");
    const FolderFiles files = files_in(folder);
    if (!is_plain_name(short_name) || !has_model(files)) return;
    const uint64_t version = whole_number(info, "version");
    Installed model;
    model.name = "translatelocally:" + short_name;
    model.path = folder;
    if (const auto tags = info.find("srcTags"); tags != info.end() && tags->is_object())
        for (const auto& [code, name] : tags->items()) model.from.push_back(code);
    if (const std::string tag = text_in(info, "trgTag"); !tag.empty()) model.to = {tag};
    model.publisher = text_in(info, "repository");
    model.version = version == 0 ? "" : fmt::format("{}", version);
    model.architecture = text_in(info, "type");
    model.bytes = bytes_of(files);
    model.owner = "translatelocally";
    const auto [same, is_new] = models.try_emplace(model.name);
    if (is_new || version >= same->second.version) same->second = {version, std::move(model)};
}

}  // namespace

void add_translatelocally(std::vector<Installed>& models) {
    std::map<std::string, Versioned> found;
    // it keeps models beside its settings
    for (const fs::path& folder : folders_in(below(os::config_folder(), "translateLocally")))
        if (!text_of(folder.filename()).starts_with(kBeingUnpacked)) add_folder(folder, found);
    for (auto& [name, versioned] : found) models.push_back(std::move(versioned.model));
}

}  // namespace dragoman::store
