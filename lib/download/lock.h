// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>

#include "base/os/file_lock.h"

namespace dragoman::download {

// A file that one process (and one thread of it) has for itself; released by the system when the process ends however it
// ends. The file stays: whoever removed it would take it from those who wait for it.
class Lock {
public:
    // Waits; calls `waiting` at once and about each second, which may return false to give up (throws cancelled). Throws
    // io_error.
    Lock(const std::filesystem::path& file, const std::function<bool()>& waiting);

private:
    os::FileLock lock_;
};

}  // namespace dragoman::download
