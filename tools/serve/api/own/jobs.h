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

#include "serve/work/models.h"

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
    explicit OwnJobs(work::Models& models);
    ~OwnJobs();  // stops the one at work
    OwnJob add(const std::string& model);  // throws Problem busy; a model that is under way already keeps its job
    OwnJob get(const std::string& id) const;  // throws Problem not_found
    std::vector<OwnJob> list() const;
    void cancel(const std::string& id);  // one that has ended is forgotten
    // Called at once and on each change until it has ended; on any thread, must not wait. False: not any more.
    using OnChange = std::function<bool(const OwnJob&)>;
    void watch(const std::string& id, OnChange on_change);

private:
    struct Kept;
    void run();
    void work(const std::shared_ptr<Kept>& job);
    void change(Kept& job, const std::function<void(OwnJob&)>& edit);
    std::shared_ptr<Kept> find(const std::string& id) const;  // with the lock
    work::Models& models_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::shared_ptr<Kept>> jobs_;
    std::uint64_t count_ = 0;
    bool ends_ = false;
    std::thread thread_;
};

}  // namespace serve::api
