// SPDX-License-Identifier: Apache-2.0
#include "store/elsewhere/hub_repository.h"

#include <algorithm>

#include "base/error.h"
#include "base/os/path_text.h"
#include "store/elsewhere/plain_name.h"
#include "store/elsewhere/user_folders.h"
#include "store/folders.h"
#include "store/json_file.h"

namespace dragoman::store {
namespace fs = std::filesystem;
namespace {

std::optional<std::string> commit_of_main(const fs::path& repository) {
    try {
        std::string commit = read_beginning(repository / "refs" / "main", 200);
        commit.erase(commit.find_last_not_of(" \r\n") + 1);
        if (is_plain_name(commit)) return commit;
    } catch (const Error&) {  // a revision that was asked for by its commit has no reference
    }
    return std::nullopt;
}

}  // namespace

std::vector<HubRoot> hub_roots() {
    std::vector<HubRoot> roots;
    if (fs::path own = named_folder("LLAMA_CACHE"); !own.empty()) roots.push_back({std::move(own), "llama.cpp"});
    fs::path hub = first_named_folder({"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"});
    if (hub.empty()) hub = below(named_folder("HF_HOME"), "hub");
    if (hub.empty()) hub = below(named_folder_or("XDG_CACHE_HOME", ".cache"), "huggingface/hub");
    if (!hub.empty()) roots.push_back({std::move(hub), "huggingface"});
    return roots;
}

std::string repository_of_folder(std::string_view folder) {
    constexpr std::string_view kBegin = "models--", kSlash = "--";
    if (!folder.starts_with(kBegin)) return {};
    folder.remove_prefix(kBegin.size());
    const auto slash = folder.find(kSlash);
    const std::string_view name = slash == folder.npos ? folder : folder.substr(slash + kSlash.size());
    if (!is_plain_name(name) || name.find(kSlash) != name.npos) return {};
    if (slash == folder.npos) return std::string(name);
    const std::string_view organisation = folder.substr(0, slash);
    return is_plain_name(organisation) ? fmt::format("{}/{}", organisation, name) : std::string();
}

std::optional<std::string> commit_of(const fs::path& repository) {
    if (auto main = commit_of_main(repository)) return main;
    const std::vector<fs::path> snapshots = folders_in(repository / "snapshots");
    if (snapshots.size() != 1) return std::nullopt;
    return text_of(snapshots.front().filename());
}

}  // namespace dragoman::store
