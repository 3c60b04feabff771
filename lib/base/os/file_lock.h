// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <system_error>

namespace dragoman::os {

// A lock on a file, which is made where it is not there. One object of all threads and processes has it at a time; the
// system takes it back when the process ends, however it ends.
class FileLock {
public:
    FileLock() = default;
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

    std::error_code open(const std::filesystem::path& file);
    // Does not wait. `held`: whether this object has the lock now.
    std::error_code try_lock(bool& held);

private:
    std::intptr_t handle_ = -1;
};

}  // namespace dragoman::os
