// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "serve/guard/guard.h"

namespace serve {

// What a request has been charged, until it is answered: an error costs nothing, whatever it was found by, a whole
// answer or the beginning of a stream does. The guard outlives it. Any thread.
class Charge {
public:
    explicit Charge(guard::Guard& guard) : guard_(guard) {}
    Charge(const Charge&) = delete;
    Charge& operator=(const Charge&) = delete;

    // Counts characters for who asks; throws Problem: quota.
    void add(const Account& account, std::uint64_t characters) {
        guard_.charge(account, characters);
        const std::lock_guard lock(mutex_);
        owner_ = account.owner;
        characters_ += characters;
    }
    // The request is answered; the first call decides.
    void settle(bool refused) {
        std::uint64_t back = 0;
        {
            const std::lock_guard lock(mutex_);
            if (refused && !settled_) back = characters_;
            settled_ = true;
        }
        if (back > 0) guard_.give_back(owner_, back);
    }

private:
    guard::Guard& guard_;
    std::mutex mutex_;
    std::string owner_;
    std::uint64_t characters_ = 0;
    bool settled_ = false;
};

}  // namespace serve
