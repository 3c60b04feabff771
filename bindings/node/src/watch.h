// SPDX-License-Identifier: Apache-2.0
#pragma once

// Long work on a worker thread that can be stopped, and stops when the program ends.

#include <atomic>
#include <condition_variable>
#include <mutex>

#include "handle.h"
#include "work.h"

namespace addon {

class Watch {
public:
    void stop() { stopped_ = true; }
    void wait() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return ended_; });
    }
    void end() {
        const std::lock_guard lock(mutex_);
        ended_ = true;
        changed_.notify_all();
    }
    // For the library, with a Watch as `user`.
    static int32_t progress(std::size_t done, std::size_t total, void* user) {
        auto& watch = *static_cast<Watch*>(user);
        const std::lock_guard lock(watch.mutex_);
        watch.seen_ = {done, total};
        return watch.stopped_;
    }
    // How much is done, and of how much; more than all before anything is known.
    std::pair<std::size_t, std::size_t> seen() {
        const std::lock_guard lock(mutex_);
        return seen_;
    }

private:
    std::atomic<bool> stopped_ = false;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool ended_ = false;
    std::pair<std::size_t, std::size_t> seen_{1, 0};
};

// From its start to the delivery of its end, on JavaScript's thread.
void enter(napi_env env, const std::shared_ptr<Watch>& watch);
void leave(napi_env env, const std::shared_ptr<Watch>& watch);

// Reads the result of watch() of tools.cpp.
std::shared_ptr<Watch> read_watch(napi_env env, napi_value value);

// The promise of what `body` returns.
template <class Result>
napi_value watched(napi_env env, const std::shared_ptr<Watch>& watch, typename Work<Result>::Execute body,
                   typename Work<Result>::Complete complete) {
    const napi_value promise = Work<Result>::start(
        env,
        [watch, body] {
            struct End {
                Watch& watch;
                ~End() { watch.end(); }
            } const end{*watch};
            return body();
        },
        std::move(complete));
    enter(env, watch);
    return promise;
}

}  // namespace addon
