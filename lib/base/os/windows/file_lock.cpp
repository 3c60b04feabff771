// SPDX-License-Identifier: Apache-2.0
#include "base/os/file_lock.h"

#include "base/os/windows/api.h"

namespace dragoman::os {

FileLock::~FileLock() {
    if (handle_ != -1) CloseHandle(reinterpret_cast<HANDLE>(handle_));
}

std::error_code FileLock::open(const std::filesystem::path& file) {
    const HANDLE handle = CreateFileW(system_path(file).c_str(), GENERIC_READ | GENERIC_WRITE,
                                      FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, OPEN_ALWAYS,
                                      FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle == INVALID_HANDLE_VALUE) return last_error();
    handle_ = reinterpret_cast<std::intptr_t>(handle);
    return {};
}

std::error_code FileLock::try_lock(bool& held) {
    OVERLAPPED place{};
    held = LockFileEx(reinterpret_cast<HANDLE>(handle_), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0,
                      &place) != 0;
    if (held || GetLastError() == ERROR_LOCK_VIOLATION || GetLastError() == ERROR_IO_PENDING) return {};
    return last_error();
}

}  // namespace dragoman::os
