// SPDX-License-Identifier: Apache-2.0
#include "engine/mailbox.h"

#include <utility>

namespace dragoman::engine {

void Mailbox::post(Events events, bool progress) noexcept {
    {
        const std::lock_guard lock(mutex_);
        events_.splice(events_.end(), events);
        progress_ |= progress;
    }
    filled_.notify_all();
}

void Mailbox::wake() noexcept {
    {
        const std::lock_guard lock(mutex_);
        woken_ = true;
    }
    filled_.notify_all();
}

Events Mailbox::take_locked() {
    if (std::exchange(woken_, false)) try {
            events_.push_back({.kind = Event::Kind::woken});
        } catch (...) {
            woken_ = true;
            throw;
        }
    if (std::exchange(progress_, false)) try {
            events_.push_back({.kind = Event::Kind::progress});
        } catch (...) {
            progress_ = true;
            throw;
        }
    return std::exchange(events_, {});
}

Events Mailbox::take() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [this] { return filled(); });
    return take_locked();
}

Events Mailbox::take(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    filled_.wait_for(lock, limit, [this] { return filled(); });
    return take_locked();
}

}  // namespace dragoman::engine
