// SPDX-License-Identifier: Apache-2.0
#include "base/os/file.h"

#include <algorithm>
#include <random>
#include <string>

#include "base/os/windows/api.h"

namespace dragoman::os {
namespace fs = std::filesystem;
namespace {

struct Handle {
    HANDLE value;
    ~Handle() {
        if (value && value != INVALID_HANDLE_VALUE) CloseHandle(value);
    }
};

HANDLE handle_of(std::intptr_t handle) { return reinterpret_cast<HANDLE>(handle); }

std::error_code error_of(std::errc code) { return std::make_error_code(code); }

}  // namespace

fs::path long_path(const fs::path& path) { return system_path(path); }

// MinGW's directory_iterator looks at the first 260 characters of a path only.
std::error_code list_files(const fs::path& folder, std::vector<FileEntry>& files) {
    WIN32_FIND_DATAW found;
    const HANDLE search = FindFirstFileW(system_path(folder / L"*").c_str(), &found);
    if (search == INVALID_HANDLE_VALUE) return last_error();
    do {
        if (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) continue;
        uint64_t bytes = (uint64_t(found.nFileSizeHigh) << 32) | found.nFileSizeLow;
        if (found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) {
            std::error_code gone;  // a dangling link is no file
            bytes = fs::file_size(system_path(folder / found.cFileName), gone);
            if (gone) continue;
        }
        files.push_back({found.cFileName, bytes});
    } while (FindNextFileW(search, &found));
    const std::error_code end = last_error();
    FindClose(search);
    return end.value() == ERROR_NO_MORE_FILES ? std::error_code() : end;
}

std::error_code list_names(const fs::path& folder, std::vector<fs::path>& names) {
    WIN32_FIND_DATAW found;
    const HANDLE search = FindFirstFileW(system_path(folder / L"*").c_str(), &found);
    if (search == INVALID_HANDLE_VALUE) return last_error();
    do {
        const fs::path name = found.cFileName;
        if (name != "." && name != "..") names.push_back(name);
    } while (FindNextFileW(search, &found));
    const std::error_code end = last_error();
    FindClose(search);
    return end.value() == ERROR_NO_MORE_FILES ? std::error_code() : end;
}

std::error_code map_file(const fs::path& path, std::span<const std::byte>& bytes) {
    bytes = {};
    const std::wstring name = system_path(path);
    const DWORD attributes = GetFileAttributesW(name.c_str());
    if (attributes == INVALID_FILE_ATTRIBUTES) return last_error();
    if (attributes & FILE_ATTRIBUTE_DIRECTORY) return error_of(std::errc::is_a_directory);
    // Other programs may rename or delete the file meanwhile, as on other systems.
    const Handle file{CreateFileW(name.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                  nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr)};
    if (file.value == INVALID_HANDLE_VALUE) return last_error();
    if (GetFileType(file.value) != FILE_TYPE_DISK) return error_of(std::errc::not_supported);
    LARGE_INTEGER size;
    if (!GetFileSizeEx(file.value, &size)) return last_error();
    if (size.QuadPart == 0) return {};
    const Handle mapping{CreateFileMappingW(file.value, nullptr, PAGE_READONLY, 0, 0, nullptr)};
    if (!mapping.value) return last_error();
    const void* data = MapViewOfFile(mapping.value, FILE_MAP_READ, 0, 0, 0);
    if (!data) return last_error();
    bytes = {static_cast<const std::byte*>(data), static_cast<std::size_t>(size.QuadPart)};
    return {};
}

void unmap_file(std::span<const std::byte> bytes) {
    if (!bytes.empty()) UnmapViewOfFile(bytes.data());
}

void forget_pages(std::span<const std::byte> bytes) {
    SYSTEM_INFO system;
    GetSystemInfo(&system);
    const std::uintptr_t page = system.dwPageSize, address = reinterpret_cast<std::uintptr_t>(bytes.data());
    const std::uintptr_t begin = (address + page - 1) / page * page, end = (address + bytes.size()) / page * page;
    // For pages that are not locked this fails, but it takes them out of the working set.
    if (begin < end) VirtualUnlock(reinterpret_cast<void*>(begin), end - begin);
}

HiddenFile::~HiddenFile() {
    close();
    if (!temporary_.empty()) DeleteFileW(system_path(temporary_).c_str());
}

void HiddenFile::close() {
    if (handle_ != -1) CloseHandle(handle_of(handle_));
    handle_ = -1;
}

std::error_code HiddenFile::create(const fs::path& path) {
    path_ = path;
    fs::path name = path;
    name += L"." + std::to_wstring(std::random_device{}()) + L".part";
    const HANDLE file = CreateFileW(system_path(name).c_str(), GENERIC_WRITE, 0, nullptr, CREATE_NEW,
                                    FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) return last_error();
    handle_ = reinterpret_cast<std::intptr_t>(file);
    temporary_ = std::move(name);
    return {};
}

std::error_code HiddenFile::write(std::span<const std::byte> bytes) {
    constexpr std::size_t kAtOnce = 1u << 30;
    while (!bytes.empty()) {
        DWORD written = 0;
        if (!WriteFile(handle_of(handle_), bytes.data(), static_cast<DWORD>(std::min(bytes.size(), kAtOnce)), &written,
                       nullptr))
            return last_error();
        bytes = bytes.subspan(written);
    }
    return {};
}

std::error_code HiddenFile::publish(bool replace) {
    if (!FlushFileBuffers(handle_of(handle_))) return last_error();
    close();  // an open file keeps its name
    const DWORD flags = MOVEFILE_WRITE_THROUGH | (replace ? MOVEFILE_REPLACE_EXISTING : 0);
    if (!MoveFileExW(system_path(temporary_).c_str(), system_path(path_).c_str(), flags)) return last_error();
    temporary_.clear();
    return {};
}

}  // namespace dragoman::os
