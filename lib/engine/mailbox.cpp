// SPDX-License-Identifier: Apache-2.0
#include "engine/mailbox.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace dragoman::engine {

void Mailbox::post(std::vector<Event> events) {
    {
        const std::lock_guard lock(mutex_);
        std::ranges::move(events, std::back_inserter(events_));
    }
    filled_.notify_all();
}

std::vector<Event> Mailbox::take() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [this] { return !events_.empty(); });
    return std::exchange(events_, {});
}

std::vector<Event> Mailbox::take(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    filled_.wait_for(lock, limit, [this] { return !events_.empty(); });
    return std::exchange(events_, {});
}

}  // namespace dragoman::engine
