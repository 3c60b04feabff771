// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "store/installed.h"

namespace dragoman::registry {

// Where a model of the own store lies, and what beside it belongs to its change. What is hidden begins with a dot.
struct ModelPlace {
    std::filesystem::path target;        // the model itself
    std::filesystem::path fresh;         // the next version, while it is made
    std::filesystem::path old;           // the version before, on its way out
    std::filesystem::path lock;          // of all these
    std::filesystem::path partial;       // what has been transferred
    std::filesystem::path partial_lock;  // of that; the folder may serve several stores

    // Throws io_error where the system names no folders for this.
    static ModelPlace of(const std::string& registry, const std::string& model);
    // The place of an installed model; throws invalid_argument for those of other programs.
    static ModelPlace of(const store::Installed& model);

    // What a process that was killed has left: the old version comes back if the new one is not in its place. Under the
    // lock.
    void recover() const;
    // The fresh folder takes the model's place; under the lock.
    void put_in_place() const;
};

// Hidden folders of a store's registry folder, as the places of their models.
std::vector<ModelPlace> unfinished_places(const std::filesystem::path& registry_folder);

// These throw io_error naming the path.
void make_folder(const std::filesystem::path& folder);
void remove_folder(const std::filesystem::path& folder);
void sync_tree(const std::filesystem::path& folder);  // its folders; files are synchronised where they are written

}  // namespace dragoman::registry
