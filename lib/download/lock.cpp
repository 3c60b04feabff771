// SPDX-License-Identifier: Apache-2.0
#include "download/lock.h"

#include <chrono>
#include <thread>

#include "base/error.h"
#include "base/os/path_text.h"

namespace dragoman::download {
namespace {

constexpr auto kTryAgain = std::chrono::milliseconds(50);
constexpr int kTriesOfASecond = 20;

}  // namespace

Lock::Lock(const std::filesystem::path& file, const std::function<bool()>& waiting) {
    if (const std::error_code error = lock_.open(file))
        fail(Status::io_error, "cannot lock {}: {}", text_of(file), error.message());
    bool held = false;
    for (int tries = 0;; ++tries) {
        if (const std::error_code error = lock_.try_lock(held))
            fail(Status::io_error, "cannot lock {}: {}", text_of(file), error.message());
        if (held) return;
        if (tries % kTriesOfASecond == 0 && waiting && !waiting())
            fail(Status::cancelled, "stopped while another process had {}", text_of(file));
        std::this_thread::sleep_for(kTryAgain);
    }
}

}  // namespace dragoman::download
