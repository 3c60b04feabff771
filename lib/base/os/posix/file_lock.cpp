// SPDX-License-Identifier: Apache-2.0
#include "base/os/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace dragoman::os {

FileLock::~FileLock() {
    if (handle_ >= 0) ::close(static_cast<int>(handle_));
}

std::error_code FileLock::open(const std::filesystem::path& file) {
    handle_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    return handle_ < 0 ? std::error_code(errno, std::system_category()) : std::error_code();
}

// flock() belongs to what was opened: other threads that open the file wait as other processes do.
std::error_code FileLock::try_lock(bool& held) {
    int result = 0;
    do result = flock(static_cast<int>(handle_), LOCK_EX | LOCK_NB);
    while (result != 0 && errno == EINTR);
    held = result == 0;
    if (held || errno == EWOULDBLOCK) return {};
    return {errno, std::system_category()};
}

}  // namespace dragoman::os
