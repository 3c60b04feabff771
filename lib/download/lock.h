// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>

namespace dragoman::download {

// A file that one process (and one thread of it) has for itself; released by the system when the process ends however it ends.
class Lock {
public:
    // Waits; calls `waiting` about each second, which may return false to give up (throws cancelled). Throws io_error.
    Lock(const std::filesystem::path& file, const std::function<bool()>& waiting);
    ~Lock();
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

private:
    std::intptr_t handle_ = -1;
};

}  // namespace dragoman::download
