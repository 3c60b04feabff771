// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/os/path_text.h"
#include "store/elsewhere/elsewhere.h"
#include "store/elsewhere/gguf_architecture.h"
#include "store/elsewhere/hub_card.h"
#include "store/elsewhere/hub_languages.h"
#include "store/elsewhere/hub_repository.h"
#include "store/elsewhere/loadable.h"
#include "store/elsewhere/plain_name.h"
#include "store/folders.h"
#include "store/json_file.h"

namespace dragoman::store {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kGguf = ".gguf";

struct Snapshot {
    std::string repository;  // "org/name"
    std::string commit;
    const char* owner;
    fs::path folder;
    FolderFiles files;
};

std::optional<Snapshot> open_snapshot(const HubRoot& root, const fs::path& folder) {
    std::string repository = repository_of_folder(text_of(folder.filename()));
    if (repository.empty()) return std::nullopt;
    const auto commit = commit_of(folder);
    if (!commit) return std::nullopt;
    Snapshot snapshot{.repository = std::move(repository),
                      .commit = *commit,
                      .owner = root.owner,
                      .folder = folder / "snapshots" / path_of(*commit),
                      .files = {}};
    snapshot.files = files_in(snapshot.folder);
    if (snapshot.files.empty()) return std::nullopt;
    return snapshot;
}

Installed model_in(const Snapshot& snapshot, std::string architecture) {
    Installed model;
    model.name = "hf:" + snapshot.repository;
    model.path = snapshot.folder;
    model.license = read_hub_card(snapshot.folder / "README.md").license;
    if (const auto slash = snapshot.repository.find('/'); slash != std::string::npos)
        model.publisher = snapshot.repository.substr(0, slash);
    model.version = snapshot.commit;
    model.architecture = std::move(architecture);
    model.bytes = bytes_of(snapshot.files);
    model.owner = snapshot.owner;
    HubLanguages languages = read_hub_languages(snapshot.folder);
    model.from = std::move(languages.from);
    model.to = std::move(languages.to);
    return model;
}

void add_snapshot(const Snapshot& snapshot, std::vector<Installed>& models) {
    FolderFiles others = snapshot.files;
    std::erase_if(others, [](const auto& file) { return file.first.ends_with(kGguf); });
    if (Look look = look_at(snapshot.folder, others); !look.architecture.empty()) {
        models.push_back(model_in(snapshot, std::move(look.architecture)));
        models.back().bytes += look.more_bytes;
    }
    for (const auto& [name, bytes] : snapshot.files) {
        if (!name.ends_with(kGguf) || !is_plain_name(name)) continue;
        std::string architecture = gguf_architecture(snapshot.folder / path_of(name));
        if (!is_read_architecture(architecture)) continue;
        Installed model = model_in(snapshot, std::move(architecture));
        model.name += ":" + name;
        model.path /= path_of(name);
        model.bytes = bytes;
        models.push_back(std::move(model));
    }
}

}  // namespace

void add_hub_cache(std::vector<Installed>& models) {
    std::set<std::string> taken;  // from the first folder that has them
    for (const HubRoot& root : hub_roots()) {
        for (const fs::path& folder : folders_in(root.folder)) {
            const auto snapshot = open_snapshot(root, folder);
            if (snapshot && taken.insert(snapshot->repository).second) add_snapshot(*snapshot, models);
        }
    }
}

std::string hub_refusal(std::string_view model) {
    const std::string_view repository = model.substr(0, model.find(':'));
    const std::string_view file = model.substr(std::min(repository.size() + 1, model.size()));
    for (const HubRoot& root : hub_roots()) {
        for (const fs::path& folder : folders_in(root.folder)) {
            if (repository_of_folder(text_of(folder.filename())) != repository) continue;
            const auto snapshot = open_snapshot(root, folder);
            if (!snapshot) continue;
            if (file.empty()) return look_at(snapshot->folder, snapshot->files).refusal;
            if (!snapshot->files.contains(file)) continue;
            const fs::path path = snapshot->folder / path_of(file);
            return fmt::format("{}: general.architecture: expected dragoman or t5, the file has \"{}\"", text_of(path),
                               gguf_architecture(path));
        }
    }
    return {};
}

}  // namespace dragoman::store
