// SPDX-License-Identifier: Apache-2.0
#include "registry/model_place.h"

#include "base/error.h"
#include "base/os/durable.h"
#include "base/os/path_text.h"
#include "store/model_name.h"
#include "store/places.h"

namespace dragoman::registry {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kFresh = ".new-", kOld = ".old-";

void check_change(const fs::path& path, std::error_code error) {
    if (error) fail(Status::io_error, "cannot change {}: {}", text_of(path), error.message());
}

void rename_folder(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::rename(from, to, error);
    check_change(to, error);
}

ModelPlace place_in(const fs::path& registry_folder, const std::string& folder) {
    const auto hidden = [&](std::string_view begin, std::string_view end = "") {
        return registry_folder / path_of(fmt::format("{}{}{}", begin, folder, end));
    };
    const fs::path partial = store::partial_folder() / registry_folder.filename();
    return {.target = registry_folder / path_of(folder),
            .fresh = hidden(kFresh),
            .old = hidden(kOld),
            .lock = hidden(".", ".lock"),
            .partial = partial / path_of(folder),
            .partial_lock = partial / path_of("." + folder + ".lock")};
}

}  // namespace

void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        fail(Status::io_error, "cannot make the folder {}: {}; DRAGOMAN_MODELS_DIR names another place for models",
             text_of(folder), error.message());
}

void remove_folder(const fs::path& folder) {
    std::error_code error;
    fs::remove_all(folder, error);
    check_change(folder, error);
}

void sync_tree(const fs::path& folder) {
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (at->is_directory(error)) check_change(at->path(), os::sync_folder(at->path()));
    check_change(folder, error);
    check_change(folder, os::sync_folder(folder));
}

ModelPlace ModelPlace::of(const std::string& registry, const std::string& model) {
    const fs::path store = store::models_folder();
    if (store.empty() || store::partial_folder().empty())
        fail(Status::io_error,
             "no folder for models: neither DRAGOMAN_MODELS_DIR, XDG_DATA_HOME and XDG_CACHE_HOME nor HOME "
             "is set");
    return place_in(store / path_of(registry), store::ModelName{registry, model}.folder());
}

ModelPlace ModelPlace::of(const store::Installed& model) {
    if (!model.own())
        fail(Status::invalid_argument, "{}: it is {}'s own file, {}; Dragoman only reads it", model.name, model.owner,
             text_of(model.path));
    const std::size_t colon = model.name.find(':');
    if (colon == model.name.npos) fail(Status::invalid_argument, "{}: expected REGISTRY:MODEL", model.name);
    return of(model.name.substr(0, colon), model.name.substr(colon + 1));
}

void ModelPlace::recover() const {
    std::error_code error;
    if (!fs::exists(target, error) && fs::exists(old / store::kMetadataFile, error)) rename_folder(old, target);
    remove_folder(old);
    remove_folder(fresh);
}

void ModelPlace::put_in_place() const {
    std::error_code error;
    if (fs::exists(target, error)) {
        error = os::exchange_folders(fresh, target);
        if (error == std::errc::not_supported) {
            rename_folder(target, old);
            rename_folder(fresh, target);
        } else {
            check_change(target, error);
            rename_folder(fresh, old);
        }
    } else {
        rename_folder(fresh, target);
    }
    check_change(target, os::sync_folder(target.parent_path()));
    remove_folder(old);
}

std::vector<ModelPlace> unfinished_places(const fs::path& registry_folder) {
    std::vector<ModelPlace> places;
    std::error_code error;
    for (fs::directory_iterator at(registry_folder, error), end; !error && at != end; at.increment(error)) {
        const std::string name = text_of(at->path().filename());
        for (const std::string_view begin : {kFresh, kOld})
            if (name.starts_with(begin)) places.push_back(place_in(registry_folder, name.substr(begin.size())));
    }
    return places;
}

}  // namespace dragoman::registry
