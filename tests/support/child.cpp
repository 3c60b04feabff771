// SPDX-License-Identifier: Apache-2.0
#include "support/child.h"

#include <stdexcept>
#include <thread>

namespace dragoman::test {
namespace {

constexpr std::chrono::milliseconds kPause{5};

}  // namespace

End Child::wait() {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (running()) {  // it may wait for someone to read its output
        if (std::chrono::steady_clock::now() > deadline) throw std::runtime_error("the program does not end");
        std::this_thread::sleep_for(kPause);
    }
    drain();
    return end_;
}

bool Child::shows(const std::string& text) {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    for (bool more = true; more;) {
        more = running() && std::chrono::steady_clock::now() < deadline;
        drain();
        if (const std::size_t at = output_.find(text, seen_); at != std::string::npos) {
            seen_ = at + text.size();
            return true;
        }
        std::this_thread::sleep_for(kPause);
    }
    return false;
}

}  // namespace dragoman::test
