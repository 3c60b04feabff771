// SPDX-License-Identifier: Apache-2.0
#include "store/places.h"

#include "base/environment.h"
#include "base/os/path_text.h"

namespace dragoman::store {
namespace fs = std::filesystem;
namespace {

fs::path below(const fs::path& folder, const char* name) { return folder.empty() ? fs::path() : folder / name; }

}  // namespace

fs::path models_folder() {
    if (const std::string own = environment("DRAGOMAN_MODELS_DIR"); !own.empty()) return path_of(own);
    return below(os::data_folder(), "dragoman/models");
}

fs::path partial_folder() { return below(os::cache_folder(), "dragoman/downloads"); }

fs::path lists_folder() { return below(os::cache_folder(), "dragoman/registries"); }

}  // namespace dragoman::store
