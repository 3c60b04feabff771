// SPDX-License-Identifier: Apache-2.0
#include "pipeline/model/default_model.h"

#include "base/environment.h"
#include "base/error.h"
#include "base/os/library.h"
#include "base/os/path_text.h"
#include "store/installed.h"

namespace dragoman::pipeline {
namespace fs = std::filesystem;
namespace {

constexpr const char* kShipped = "share/dragoman/models/en-de";
constexpr int kFolders = 5;  // up from the library: lib/<machine>/dragoman/<more> in a prefix at most

// The folder of this library's code: the shared library's file, or the program's with the static one.
fs::path own_folder() {
    static const char marker = 0;
    return os::file_of_address(&marker).parent_path();
}

}  // namespace

fs::path shipped_model(const fs::path& folder) {
    std::error_code error;
    fs::path at = folder;
    for (int i = 0; i < kFolders && !at.empty(); ++i) {
        if (fs::exists(at / kShipped, error)) return at / kShipped;
        if (at == at.parent_path()) break;
        at = at.parent_path();
    }
    return {};
}

std::string default_model() {
    if (std::string named = environment("DRAGOMAN_MODEL"); !named.empty()) return named;
    const fs::path folder = own_folder();
    const fs::path found = shipped_model(folder);
    if (found.empty())
        fail(Status::io_error, "no model was named, DRAGOMAN_MODEL is not set, and there is no {} in {} or above it",
             kShipped, text_of(folder));
    return text_of(found);
}

fs::path place_of_model(const std::string& given) {
    return store::path_of_model(given.empty() ? default_model() : given);
}

}  // namespace dragoman::pipeline
