// SPDX-License-Identifier: Apache-2.0
#include "base/os/library.h"

#include "base/os/windows/api.h"

namespace dragoman::os {
namespace fs = std::filesystem;

void* load_library(const fs::path& path, std::string& error) {
    const HMODULE library = LoadLibraryW(path.c_str());
    if (!library) error = utf8(path.native()) + ": " + last_error().message();
    return reinterpret_cast<void*>(library);
}

void* find_symbol(void* library, const char* name) {
    return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name));
}

fs::path file_of_address(const void* address) {
    constexpr DWORD kLookUp = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
    HMODULE module = nullptr;
    if (!GetModuleHandleExW(kLookUp, static_cast<const wchar_t*>(address), &module)) return {};
    std::wstring name(MAX_PATH, 0);
    for (DWORD size = 0; (size = GetModuleFileNameW(module, name.data(), static_cast<DWORD>(name.size()))) != 0;) {
        if (size < name.size()) return name.substr(0, size);
        name.resize(2 * name.size());  // it did not fit
    }
    return {};
}

}  // namespace dragoman::os
