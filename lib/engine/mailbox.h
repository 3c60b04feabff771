// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
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

// Holds the events of any number of tasks, on any number of devices, for the thread that takes them. Safe from any
// thread.
class Mailbox {
public:
    void post(std::vector<Event> events);
    void wake() { post(std::vector<Event>(1)); }
    std::vector<Event> take();                                 // waits for at least one
    std::vector<Event> take(std::chrono::milliseconds limit);  // waits at most this long; empty if none came
    std::vector<Event> try_take() { return take(std::chrono::milliseconds(0)); }

private:
    std::mutex mutex_;
    std::condition_variable filled_;
    std::vector<Event> events_;
};

}  // namespace dragoman::engine
