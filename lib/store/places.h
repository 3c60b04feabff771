// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

// The folders of the own store, for this process's environment. None of them needs to exist.
namespace dragoman::store {

// Where models lie, one folder each: DRAGOMAN_MODELS_DIR, otherwise XDG_DATA_HOME/dragoman/models, otherwise
// ~/.local/share/dragoman/models. Empty where the system does not say.
std::filesystem::path models_folder();
// Where files lie that are only partly there: XDG_CACHE_HOME/dragoman/downloads or what the system has for it.
std::filesystem::path partial_folder();
// Where the registries' lists lie: XDG_CACHE_HOME/dragoman/registries.
std::filesystem::path lists_folder();

}  // namespace dragoman::store
