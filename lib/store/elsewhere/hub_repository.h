// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dragoman::store {

struct HubRoot {
    std::filesystem::path folder;
    const char* owner;
};

// Folders that have the layout of Hugging Face's cache: models--ORG--NAME/{refs,snapshots,blobs}.
std::vector<HubRoot> hub_roots();
// "org/name" of "models--org--name"; "" for other folders, and for names that the Hub does not have.
std::string repository_of_folder(std::string_view folder);
// The commit that is loaded: refs/main, or the only one that is there. Nullopt: none.
std::optional<std::string> commit_of(const std::filesystem::path& repository);

}  // namespace dragoman::store
