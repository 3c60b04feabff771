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

// Where Argos Translate looks for its packages, in its order.
std::vector<fs::path> package_folders() {
    const fs::path snap = named_folder("SNAP");
    fs::path own = first_named_folder({"ARGOS_PACKAGES_DIR", "ARGOS_TRANSLATE_PACKAGES_DIR"});
    if (own.empty()) own = below(named_folder("XDG_DATA_HOME"), "argos-translate/packages");
    if (own.empty() && !snap.empty())
        own = below(named_folder("SNAP_USER_DATA"), ".local/share/argos-translate/packages");
    if (own.empty()) own = below(os::home_folder(), ".local/share/argos-translate/packages");
    std::vector<fs::path> folders = {own};
    if (snap.empty()) return folders;
    folders.push_back(snap / "snap_custom" / "packages");
    std::ranges::copy(folders_in(snap / "snap_custom" / "content_snap_packages"), std::back_inserter(folders));
    return folders;
}

// A package of a newer version lies beside the older one, under a name that sorts after it.
void add_package(const fs::path& folder, std::map<std::string, Installed>& models) {
    nlohmann::json metadata;
    try {
        metadata = read_json_file(folder / "metadata.json");
    } catch (const Error&) {
        return;
    }
    const std::string type = text_in(metadata, "type");
    if (!type.empty() && type != "translate") return;  // packages that split sentences, and others
    const std::string from = text_in(metadata, "from_code"), to = text_in(metadata, "to_code");
    FolderFiles files = files_in(folder);
    files.merge(files_in(folder / "model"));  // their names differ
    if (!is_plain_name(from) || !is_plain_name(to) || !files.contains("model.bin") ||
        !files.contains("sentencepiece.model"))
        return;
    Installed model;
    model.name = "argos:" + from + "_" + to;
    model.path = folder;
    model.from = {from};
    model.to = {to};
    model.publisher = "Argos Open Tech";
    model.version = text_in(metadata, "package_version");
    model.architecture = "argos";
    model.bytes = bytes_of(files);
    model.owner = "argos";
    std::string name = model.name;
    models.insert_or_assign(std::move(name), std::move(model));
}

}  // namespace

void add_argos(std::vector<Installed>& models) {
    std::map<std::string, Installed> found;
    for (const fs::path& place : package_folders()) {
        std::map<std::string, Installed> here;
        for (const fs::path& folder : folders_in(place)) add_package(folder, here);
        found.merge(here);  // those of earlier places stay
    }
    for (auto& [name, model] : found) models.push_back(std::move(model));
}

}  // namespace dragoman::store
