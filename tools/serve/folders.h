// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "base/os/file_lock.h"

namespace serve {

// Where the service keeps what lasts, and what comes and goes. Made when they are missing, for this user alone, and for
// one service at a time: two would translate the same documents and empty each other's uploads.
class Folders {
public:
    // Throws std::runtime_error.
    explicit Folders(const std::filesystem::path& state);
    std::filesystem::path state() const { return state_; }
    std::filesystem::path uploads() const { return state_ / "uploads"; }  // emptied at the start
    std::filesystem::path glossaries() const { return state_ / "glossaries"; }
    std::filesystem::path memories() const { return state_ / "memories"; }
    std::filesystem::path documents() const { return state_ / "documents"; }

private:
    std::filesystem::path state_;
    dragoman::os::FileLock lock_;
};

}  // namespace serve
