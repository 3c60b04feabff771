// SPDX-License-Identifier: Apache-2.0
#include "translate/default_model.h"

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#include "base/environment.h"
#include "base/error.h"

namespace dragoman::translate {
namespace fs = std::filesystem;
namespace {

constexpr const char* kShipped = "share/dragoman/models/en-de";
constexpr int kFolders = 5;  // up from the library: lib/<machine>/dragoman/<more> in a prefix at most

// Where the code of this library lies: the shared library's file, or the program's with the static one.
fs::path own_folder() {
    static const char marker = 0;
    std::error_code error;
#ifdef _WIN32
    HMODULE module = nullptr;
    wchar_t name[MAX_PATH] = {};
    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                       reinterpret_cast<LPCWSTR>(&marker), &module);
    if (GetModuleFileNameW(module, name, MAX_PATH) == 0) return {};
    const fs::path file = name;
#else
    Dl_info info{};
    if (dladdr(&marker, &info) == 0 || !info.dli_fname) return {};
    // The program itself has the name it was started with, which may have come from PATH.
    fs::path file = info.dli_fname;
    if (!file.has_parent_path() || !fs::exists(file, error)) file = fs::read_symlink("/proc/self/exe", error);
#endif
    return fs::weakly_canonical(file, error).parent_path();
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
             kShipped, folder.string());
    return found.string();
}

}  // namespace dragoman::translate
