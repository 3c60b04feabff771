// SPDX-License-Identifier: Apache-2.0
#include "support/library_file.h"

#include <cstdint>
#include <stdexcept>

#include "base/os/windows/api.h"

namespace dragoman::test {

// From the table of the library as it is loaded; symbols have no versions.
LibraryFile read_library(const std::string& path, const std::string&) {
    const HMODULE library = LoadLibraryW(os::wide(path).c_str());
    if (!library) throw std::runtime_error(path + ": " + os::last_error().message());
    const auto* base = reinterpret_cast<const char*>(library);
    const auto* dos = reinterpret_cast<const IMAGE_DOS_HEADER*>(base);
    const auto* headers = reinterpret_cast<const IMAGE_NT_HEADERS*>(base + dos->e_lfanew);
    const auto& place = headers->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_EXPORT];
    const auto* table = reinterpret_cast<const IMAGE_EXPORT_DIRECTORY*>(base + place.VirtualAddress);
    const auto* names = reinterpret_cast<const std::uint32_t*>(base + table->AddressOfNames);
    LibraryFile file;
    for (std::uint32_t i = 0; i < table->NumberOfNames; ++i) file.exports.insert(base + names[i]);
    file.own_name = base + table->Name;
    FreeLibrary(library);
    return file;
}

}  // namespace dragoman::test
