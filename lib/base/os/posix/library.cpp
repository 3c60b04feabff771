// SPDX-License-Identifier: Apache-2.0
#include "base/os/library.h"

#include <dlfcn.h>

namespace dragoman::os {
namespace fs = std::filesystem;

void* load_library(const fs::path& path, std::string& error) {
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) error = dlerror();
    return library;
}

void* find_symbol(void* library, const char* name) { return dlsym(library, name); }

fs::path file_of_address(const void* address) {
    Dl_info info{};
    if (dladdr(address, &info) == 0 || !info.dli_fname) return {};
    // The program itself has the name it was started with, which may have come from PATH.
    std::error_code error;
    fs::path file = info.dli_fname;
    if (!file.has_parent_path() || !fs::exists(file, error)) file = fs::read_symlink("/proc/self/exe", error);
    return fs::weakly_canonical(file, error);
}

}  // namespace dragoman::os
