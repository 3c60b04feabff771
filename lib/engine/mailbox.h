// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <vector>

#include "base/failure.h"
#include "decode/search.h"

namespace dragoman::engine {

using TaskId = uint64_t;  // identifies a task in the process; 0 is none

struct Event {
    enum class Kind : uint8_t {
        finished,  // an input of a task is done
        partial,   // an input's best hypothesis so far
        progress,  // a chunk of steps is over; belongs to no task
        ended,     // a task is over: after its last input, or with a failure
        reopened,  // a lost device is open again, or failed to open; belongs to the wait for it
        woken,     // wake() was called; belongs to no task
    };
    Kind kind = Kind::woken;
    TaskId task = 0;
    std::size_t input = 0;
    decode::SearchOutput output{};
    std::vector<uint32_t> tokens{};  // for `partial`
    Failure failure{};               // for `ended` and `reopened`
};

using Events = std::list<Event>;  // one list takes over another's without needing memory

// Holds the events of any number of tasks, on any number of devices, for the thread that takes them. Safe from any
// thread.
class Mailbox {
public:
    // `progress`: an event of that kind follows them.
    void post(Events events, bool progress = false) noexcept;
    void wake() noexcept;
    // Where memory runs out, nothing is taken.
    Events take();                                 // waits for at least one
    Events take(std::chrono::milliseconds limit);  // waits at most this long; empty if none came
    Events try_take() { return take(std::chrono::milliseconds(0)); }

private:
    bool filled() const { return progress_ || woken_ || !events_.empty(); }
    Events take_locked();

    std::mutex mutex_;
    std::condition_variable filled_;
    Events events_;
    bool progress_ = false, woken_ = false;  // events that wait to be made
};

}  // namespace dragoman::engine
