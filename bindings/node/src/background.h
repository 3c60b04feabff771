// SPDX-License-Identifier: Apache-2.0
#pragma once

// A long call on a thread of its own, whose progress and end come to JavaScript's thread. A download may take hours, and
// would hold one of Node's few worker threads as long.

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "value.h"

namespace addon {

class Background {
public:
    // A copy of what a dragoman_download lends.
    struct Progress {
        std::string model, file, note;
        double done = 0, total = 0;
    };
    using Run = std::function<void(Background&)>;  // on the thread; may throw Failure
    using Result = std::function<napi_value(napi_env)>;  // makes the promise's value

    // [promise, handle for stop_background()]. `on_progress`: a function that does not throw, or undefined.
    static napi_value start(napi_env env, napi_value on_progress, Run run, Result result);

    Background(Run run, Result result) : run_(std::move(run)), result_(std::move(result)) {}
    ~Background() { leave(); }

    bool stopped() const { return stopped_; }
    void stop() { stopped_ = true; }
    void tell(Progress progress);
    // Nothing comes any more when this returns.
    void leave();

private:
    void work() noexcept;
    void end(napi_env env);
    static void deliver(napi_env env, napi_value callback, void* context, void* data);

    Run run_;
    Result result_;
    std::atomic<bool> stopped_ = false;
    std::mutex mutex_;
    std::optional<Progress> latest_;  // what was not delivered yet
    std::optional<Failure> failed_;
    std::thread thread_;
    napi_deferred deferred_ = nullptr;
    napi_threadsafe_function events_ = nullptr;
    std::shared_ptr<Background> self_;  // until Node has ended the queue of its events
};

// stop(handle): nothing happens to one that has ended
napi_value stop_background(napi_env env, napi_callback_info info);
// leave(): stops all and waits; for process.exit() and uncaught exceptions
napi_value leave_background(napi_env env, napi_callback_info info);
// Once for each program or worker, before the first start().
void init_background(napi_env env);

}  // namespace addon
