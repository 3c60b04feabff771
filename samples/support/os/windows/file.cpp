// SPDX-License-Identifier: Apache-2.0
#include "support/os/file.h"

#include <algorithm>

#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

namespace os {
namespace fs = std::filesystem;
namespace {

HANDLE handle_of(std::intptr_t handle) { return reinterpret_cast<HANDLE>(handle); }

std::error_code error_if(bool wrong) { return {wrong ? static_cast<int>(GetLastError()) : 0, std::system_category()}; }

std::error_code write_all(HANDLE file, std::string_view bytes) {
    constexpr std::size_t kAtOnce = 1u << 30;
    while (!bytes.empty()) {
        DWORD written = 0;
        if (!WriteFile(file, bytes.data(), DWORD(std::min(bytes.size(), kAtOnce)), &written, nullptr))
            return error_if(true);
        bytes.remove_prefix(written);
    }
    return {};
}

}  // namespace

LockedFile::~LockedFile() {
    if (handle_ != -1) CloseHandle(handle_of(handle_));
}

std::error_code LockedFile::open(const fs::path& path, bool create) {
    // Open for one: nobody else may write it, and it may be renamed meanwhile.
    const HANDLE file = CreateFileW(path.c_str(), GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr,
                                    create ? CREATE_NEW : OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file != INVALID_HANDLE_VALUE) {
        handle_ = reinterpret_cast<std::intptr_t>(file);
        return {};
    }
    const DWORD error = GetLastError();
    if (error == ERROR_FILE_EXISTS || error == ERROR_SHARING_VIOLATION)
        return std::make_error_code(std::errc::resource_unavailable_try_again);
    return {static_cast<int>(error), std::system_category()};
}

std::error_code LockedFile::size(uint64_t& bytes) const {
    LARGE_INTEGER size{};
    const bool wrong = !GetFileSizeEx(handle_of(handle_), &size);
    bytes = static_cast<uint64_t>(size.QuadPart);
    return error_if(wrong);
}

std::error_code LockedFile::cut(uint64_t bytes) {
    LARGE_INTEGER end;
    end.QuadPart = static_cast<LONGLONG>(bytes);
    return error_if(!SetFilePointerEx(handle_of(handle_), end, nullptr, FILE_BEGIN) ||
                    !SetEndOfFile(handle_of(handle_)));
}

std::error_code LockedFile::write(std::string_view bytes) { return write_all(handle_of(handle_), bytes); }

std::error_code LockedFile::sync() { return error_if(!FlushFileBuffers(handle_of(handle_))); }

std::error_code write_file(const fs::path& path, std::string_view bytes) {
    const HANDLE file = CreateFileW(path.c_str(), GENERIC_WRITE, 0, nullptr, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL,
                                    nullptr);
    if (file == INVALID_HANDLE_VALUE) return error_if(true);
    std::error_code error = write_all(file, bytes);
    if (!error) error = error_if(!FlushFileBuffers(file));
    CloseHandle(file);
    return error;
}

std::error_code replace_file(const fs::path& from, const fs::path& to) {
    constexpr int kTries = 100;
    for (int i = 0;; ++i) {
        if (MoveFileExW(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING)) return {};
        const DWORD error = GetLastError();
        // Another program looks at it just now, such as one that searches for viruses.
        const bool busy = error == ERROR_SHARING_VIOLATION || error == ERROR_ACCESS_DENIED;
        if (!busy || i == kTries) return {static_cast<int>(error), std::system_category()};
        Sleep(10);
    }
}

void sync_folder_of(const fs::path&) {}  // NTFS keeps a journal of names

}  // namespace os
