// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "serve/problem.h"

namespace serve::api {

// A model that is added to the service, perhaps after a download.
struct OwnJob {
    std::string id, model;
    std::string state = "queued";  // "running", "done", "error", "cancelled"
    std::string error;
    std::uint64_t done_bytes = 0, total_bytes = 0;  // 0: not known
    std::chrono::system_clock::time_point created, ended;
    bool has_ended() const { return state == "done" || state == "error" || state == "cancelled"; }
};

// Adds models one after the other, in the background. Any thread.
class OwnJobs {
public:
    // Brings a model to the service, and says how many bytes of how many are there, on any thread, until that gives
    // false. What it throws is the job's error.
    using Bring = std::function<void(const std::string& model,
                                     const std::function<bool(std::uint64_t done, std::uint64_t total)>& progress)>;
    explicit OwnJobs(Bring bring);
    ~OwnJobs();  // stops the one at work
    OwnJob add(const std::string& model);  // throws Problem busy; a model that is under way already keeps its job
    OwnJob get(const std::string& id) const;  // throws Problem not_found
    std::vector<OwnJob> list() const;
    void cancel(const std::string& id);  // one that has ended is forgotten
    // Called at once and after changes, one call at a time, the last with how it has ended; on any thread, must not wait.
    // False: not any more.
    using OnChange = std::function<bool(const OwnJob&)>;
    void watch(const std::string& id, OnChange on_change);

private:
    struct Kept;
    void run();
    void work(const std::shared_ptr<Kept>& job);
    bool is_stopped(const Kept& job) const;
    // False: it does not apply any more, and nothing has changed.
    bool change(Kept& job, const std::function<bool(OwnJob&)>& edit);
    void tell(Kept& job, std::unique_lock<std::mutex>& lock);
    std::shared_ptr<Kept> find(const std::string& id) const;  // with the lock
    const Bring bring_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::shared_ptr<Kept>> jobs_;
    std::uint64_t count_ = 0;
    bool ends_ = false;
    std::thread thread_;
};

}  // namespace serve::api
