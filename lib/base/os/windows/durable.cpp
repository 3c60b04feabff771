// SPDX-License-Identifier: Apache-2.0
#include "base/os/durable.h"

#include <algorithm>

#include "base/os/windows/api.h"

namespace dragoman::os {
namespace fs = std::filesystem;

std::error_code sync_file(const fs::path& file) {
    const HANDLE handle = CreateFileW(system_path(file).c_str(), GENERIC_WRITE,
                                      FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, OPEN_EXISTING,
                                      FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle == INVALID_HANDLE_VALUE) return last_error();
    const std::error_code error = FlushFileBuffers(handle) ? std::error_code() : last_error();
    CloseHandle(handle);
    return error;
}

// NTFS keeps a journal of names by itself.
std::error_code sync_folder(const fs::path&) { return {}; }

bool on_one_volume(const fs::path& one, const fs::path& other) {
    wchar_t a[MAX_PATH + 1] = {}, b[MAX_PATH + 1] = {};
    return GetVolumePathNameW(fs::absolute(one).c_str(), a, MAX_PATH) &&
           GetVolumePathNameW(fs::absolute(other).c_str(), b, MAX_PATH) && lstrcmpiW(a, b) == 0;
}

std::error_code exchange_folders(const fs::path&, const fs::path&) {
    return std::make_error_code(std::errc::not_supported);
}

GrowingFile::~GrowingFile() { close(); }

void GrowingFile::close() {
    if (handle_ != -1) CloseHandle(reinterpret_cast<HANDLE>(handle_));
    handle_ = -1;
}

std::error_code GrowingFile::open(const fs::path& file, uint64_t bytes) {
    close();
    const HANDLE handle = CreateFileW(system_path(file).c_str(), GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE,
                                      nullptr, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle == INVALID_HANDLE_VALUE) return last_error();
    handle_ = reinterpret_cast<std::intptr_t>(handle);
    LARGE_INTEGER end;
    end.QuadPart = static_cast<LONGLONG>(bytes);
    if (!SetFilePointerEx(handle, end, nullptr, FILE_BEGIN) || !SetEndOfFile(handle)) return last_error();
    return {};
}

std::error_code GrowingFile::write(std::span<const std::byte> bytes, std::size_t& written) {
    constexpr std::size_t kAtOnce = 1u << 30;
    for (written = 0; written < bytes.size();) {
        const auto some = static_cast<DWORD>(std::min(bytes.size() - written, kAtOnce));
        DWORD count = 0;
        if (!WriteFile(reinterpret_cast<HANDLE>(handle_), bytes.data() + written, some, &count, nullptr))
            return last_error();
        written += count;
    }
    return {};
}

}  // namespace dragoman::os
