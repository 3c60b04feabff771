// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <future>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "serve/api/own/jobs.h"

namespace own_jobs_test {
using namespace serve;
using namespace std::chrono_literals;
using api::OwnJob;
using api::OwnJobs;
using Progress = std::function<bool(std::uint64_t, std::uint64_t)>;

// Something that happens once, and can be waited for.
class Gate {
public:
    void open() {
        const std::lock_guard lock(mutex_);
        if (!std::exchange(open_, true)) promise_.set_value();
    }
    void wait() const { future_.wait(); }

private:
    std::mutex mutex_;
    bool open_ = false;
    std::promise<void> promise_;
    std::shared_future<void> future_{promise_.get_future()};
};

bool comes(const std::function<bool()>& what) {
    for (int i = 0; i < 4000 && !what(); ++i) std::this_thread::sleep_for(5ms);
    return what();
}

// What a watcher was told: "running 1".
class Told {
public:
    bool take(const OwnJob& job) {
        const std::lock_guard lock(mutex_);
        told_.push_back(job.state + " " + std::to_string(job.done_bytes));
        return true;
    }
    std::vector<std::string> all() const {
        const std::lock_guard lock(mutex_);
        return told_;
    }

private:
    mutable std::mutex mutex_;
    std::vector<std::string> told_;
};

TEST_CASE("a change that comes while another one is told is told behind it") {
    Gate watched, inside, go_on, ended;
    std::thread other;
    OwnJobs jobs([&](const std::string&, const Progress& progress) {
        watched.wait();
        other = std::thread([progress] { progress(1, 2); });
        inside.wait();  // and the job ends while that progress is told
    });
    const std::string id = jobs.add("a").id;
    Told told, late;
    jobs.watch(id, [&](const OwnJob& job) {
        if (job.done_bytes == 1 && !job.has_ended()) inside.open(), go_on.wait();
        return told.take(job);
    });
    watched.open();
    CHECK(comes([&] { return jobs.get(id).has_ended(); }));
    jobs.watch(id, [&](const OwnJob& job) { return late.take(job); });
    go_on.open();
    other.join();
    std::vector<std::string> all = told.all();
    REQUIRE(all.size() >= 3);
    CHECK(std::vector(all.end() - 2, all.end()) == std::vector<std::string>{"running 1", "done 1"});
    CHECK(late.all() == std::vector<std::string>{"done 1"});
    jobs.cancel(id);  // is forgotten
    CHECK(jobs.list().empty());
}

TEST_CASE("one that is cancelled in the queue is never brought, and its watchers hear of it once") {
    Gate go_on;
    std::mutex mutex;
    std::vector<std::string> brought;
    OwnJobs jobs([&](const std::string& model, const Progress& progress) {
        {
            const std::lock_guard lock(mutex);
            brought.push_back(model);
        }
        if (model == "first") go_on.wait();
        if (!progress(3, 4)) throw std::runtime_error("stopped");
    });
    const std::string first = jobs.add("first").id, second = jobs.add("second").id, third = jobs.add("third").id;
    CHECK(jobs.add("second").id == second);
    Told told, quiet;
    jobs.watch(second, [&](const OwnJob& job) { return told.take(job); });
    jobs.watch(third, [&](const OwnJob& job) { return quiet.take(job) && false; });
    jobs.watch(third, [&](const OwnJob&) -> bool { throw std::runtime_error("the client is odd"); });
    jobs.cancel(second);
    CHECK(told.all() == std::vector<std::string>{"queued 0", "cancelled 0"});
    CHECK(comes([&] { return jobs.get(first).state == "running"; }));
    jobs.cancel(first);  // the one at work sees it
    CHECK(jobs.get(first).state == "running");
    go_on.open();
    CHECK(comes([&] { return jobs.get(third).has_ended(); }));
    CHECK(jobs.get(first).state == "cancelled");
    CHECK(jobs.get(third).state == "done");
    CHECK(quiet.all() == std::vector<std::string>{"queued 0"});
    const std::lock_guard lock(mutex);
    CHECK(brought == std::vector<std::string>{"first", "third"});
}

}  // namespace own_jobs_test
