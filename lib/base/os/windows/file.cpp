// SPDX-License-Identifier: Apache-2.0
#include "base/os/file.h"

#include <io.h>

#include <algorithm>
#include <random>
#include <string>

#include "base/os/windows/api.h"

namespace dragoman::os {
namespace fs = std::filesystem;
namespace {

HANDLE handle_of(std::intptr_t handle) { return reinterpret_cast<HANDLE>(handle); }

std::error_code error_of(std::errc code) { return std::make_error_code(code); }

bool identify(HANDLE file, BY_HANDLE_FILE_INFORMATION& info) {
    return GetFileType(file) == FILE_TYPE_DISK && GetFileInformationByHandle(file, &info);
}

bool are_one(const BY_HANDLE_FILE_INFORMATION& a, const BY_HANDLE_FILE_INFORMATION& b) {
    return a.dwVolumeSerialNumber == b.dwVolumeSerialNumber && a.nFileIndexHigh == b.nFileIndexHigh &&
           a.nFileIndexLow == b.nFileIndexLow;
}

HANDLE handle_of(std::FILE* stream) { return handle_of(std::intptr_t(_get_osfhandle(_fileno(stream)))); }

}  // namespace

fs::path long_path(const fs::path& path) { return system_path(path); }

bool is_open_as(std::FILE* stream, const fs::path& file) {
    BY_HANDLE_FILE_INFORMATION a, b;
    if (!identify(handle_of(stream), a)) return false;
    const HANDLE other = CreateFileW(system_path(file).c_str(), FILE_READ_ATTRIBUTES,
                                     FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, OPEN_EXISTING,
                                     FILE_ATTRIBUTE_NORMAL, nullptr);
    if (other == INVALID_HANDLE_VALUE) return false;
    const bool one = identify(other, b) && are_one(a, b);
    CloseHandle(other);
    return one;
}

bool have_one_file(std::FILE* one, std::FILE* other) {
    BY_HANDLE_FILE_INFORMATION a, b;
    return identify(handle_of(one), a) && identify(handle_of(other), b) && are_one(a, b);
}

bool is_foreign_link(const fs::path&) { return false; }  // nobody may make links there without a privilege

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

ReadFile::~ReadFile() {
    if (handle_ != -1) CloseHandle(handle_of(handle_));
}

std::error_code ReadFile::open(const fs::path& path) {
    const std::wstring name = system_path(path);
    const DWORD attributes = GetFileAttributesW(name.c_str());
    if (attributes == INVALID_FILE_ATTRIBUTES) return last_error();
    if (attributes & FILE_ATTRIBUTE_DIRECTORY) return error_of(std::errc::is_a_directory);
    // Other programs may rename or delete the file meanwhile, as on other systems.
    const HANDLE file = CreateFileW(name.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                    nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) return last_error();
    handle_ = reinterpret_cast<std::intptr_t>(file);
    if (GetFileType(file) != FILE_TYPE_DISK) return error_of(std::errc::not_supported);
    LARGE_INTEGER size;
    if (!GetFileSizeEx(file, &size)) return last_error();
    size_ = static_cast<uint64_t>(size.QuadPart);
    return {};
}

std::error_code ReadFile::read(uint64_t offset, std::span<std::byte> room, std::size_t& got) const {
    constexpr std::size_t kMost = std::size_t{1} << 30;  // a read counts in 32 bits
    for (got = 0; got < room.size();) {
        OVERLAPPED place{};
        place.Offset = static_cast<DWORD>(offset + got);
        place.OffsetHigh = static_cast<DWORD>((offset + got) >> 32);
        DWORD some = 0;
        const auto wanted = static_cast<DWORD>(std::min(kMost, room.size() - got));
        if (!::ReadFile(handle_of(handle_), room.data() + got, wanted, &some, &place)) {
            const std::error_code error = last_error();
            return error.value() == ERROR_HANDLE_EOF ? std::error_code() : error;
        }
        if (some == 0) break;
        got += some;
    }
    return {};
}

std::size_t page_bytes() {
    SYSTEM_INFO system;
    GetSystemInfo(&system);
    return system.dwPageSize;
}

std::error_code reserve_addresses(std::size_t size, std::byte*& address) {
    void* data = VirtualAlloc(nullptr, size, MEM_RESERVE, PAGE_NOACCESS);
    if (!data) return last_error();
    address = static_cast<std::byte*>(data);
    return {};
}

std::error_code put_memory(std::byte* address, std::size_t size) {
    return VirtualAlloc(address, size, MEM_COMMIT, PAGE_READWRITE) ? std::error_code() : last_error();
}

void release_addresses(std::byte* address, std::size_t) { VirtualFree(address, 0, MEM_RELEASE); }

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

std::error_code HiddenFile::open_in_place(const fs::path& path) {
    path_ = path;
    in_place_ = true;
    const HANDLE file = CreateFileW(system_path(path).c_str(), GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                    nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) return last_error();
    handle_ = reinterpret_cast<std::intptr_t>(file);
    return {};
}

std::error_code HiddenFile::make_executable() { return {}; }

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
    if (!in_place_ && !FlushFileBuffers(handle_of(handle_))) return last_error();
    close();  // an open file keeps its name
    if (in_place_) return {};
    const DWORD flags = MOVEFILE_WRITE_THROUGH | (replace ? MOVEFILE_REPLACE_EXISTING : 0);
    if (!MoveFileExW(system_path(temporary_).c_str(), system_path(path_).c_str(), flags)) return last_error();
    temporary_.clear();
    return {};
}

}  // namespace dragoman::os
