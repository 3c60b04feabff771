// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "decode/stream.h"

namespace dragoman::translate {

using JobId = uint64_t;

struct SearchEvent {
    enum class Kind : uint8_t {
        finished,  // an input of a job
        partial,
        progress,  // of no job: a chunk of steps is over
        ended,     // a job: with its last input, or with an error
        woken,     // of no job
    };
    Kind kind = Kind::woken;
    JobId job = 0;
    std::size_t input = 0;
    decode::SearchOutput output{};
    std::vector<uint32_t> tokens{};  // of the best hypothesis so far, of partial
    Status status = Status::ok;      // of the end
    std::string message{};
};

// Where the events of one or more jobs wait for the thread that wants them. Safe from any thread.
class Mailbox {
public:
    void post(std::vector<SearchEvent> events);
    void wake() { post(std::vector<SearchEvent>(1)); }
    std::vector<SearchEvent> take();  // waits for at least one

private:
    std::mutex mutex_;
    std::condition_variable filled_;
    std::vector<SearchEvent> events_;
};

struct SearchJob {
    decode::SearchRules rules;
    decode::StreamLimits limits;
    std::vector<decode::SearchInput> inputs;  // at least one
    int32_t priority = 0;                     // higher ones first
    bool partial = false;
};

// Runs the searches of any number of jobs on a thread of its own. Jobs of equal rules and limits share a running
// search; others take turns by the time they used. Among jobs of one priority sentences enter by start-time fair queueing
// (Goyal et al. 1996) over source tokens: each job gets an equal share while it has sentences left, so a short one
// overtakes a long one's queue. Within a job the longest enter first. Short jobs are express (decode::Urgency).
// Safe from any thread.
class Scheduler {
public:
    // `model` outlives the scheduler.
    Scheduler(std::shared_ptr<vulkan::Context> context, const nn::Seq2Seq& model);
    ~Scheduler();  // jobs at work end as cancelled

    // Every input is told of once, finished or not, before the job's end; what ends a job with an error tells no more.
    JobId submit(SearchJob job, std::shared_ptr<Mailbox> mailbox);
    void cancel(JobId job);  // unless it has ended, its end follows soon
    decode::SearchStats stats() const;
    void reset_stats();
    void trim();  // frees the buffers of searches that are idle; waits for the worker

private:
    struct Command {
        enum class Kind : uint8_t { submit, cancel, trim, stop } kind;
        JobId id = 0;
        SearchJob job{};
        std::shared_ptr<Mailbox> mailbox{};
    };
    struct Running {
        decode::Stream* stream = nullptr;
        std::shared_ptr<Mailbox> mailbox;
        std::unordered_map<decode::Ticket, std::size_t> inputs;  // left
    };
    struct Lane {
        std::unique_ptr<decode::Stream> stream;
        double busy_seconds = 0.0;
        uint64_t used = 0;  // when, for the one that goes
        std::size_t running = 0;
    };
    using Posts = std::map<std::shared_ptr<Mailbox>, std::vector<SearchEvent>>;

    void post(Command command);
    void work();
    bool obey(std::deque<Command> commands);  // false: stop
    void begin(Command command);
    Lane& lane_for(const SearchJob& job);
    Lane* next_lane();
    void advance(Lane& lane);
    void end(JobId id, std::exception_ptr error, Posts& posts);
    void end_all(decode::Stream* stream, std::exception_ptr error);
    void drop_idle(const decode::Stream* but, std::size_t keep);
    static void deliver(Posts& posts);

    std::shared_ptr<vulkan::Context> context_;
    const nn::Seq2Seq& model_;

    // The worker's own.
    std::vector<std::unique_ptr<Lane>> lanes_;
    std::map<JobId, Running> running_;
    std::unordered_map<decode::Ticket, JobId> tickets_;
    decode::Ticket next_ticket_ = 0;
    uint64_t turns_ = 0;
    decode::SearchStats working_stats_;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Command> commands_;
    JobId next_job_ = 1;
    uint64_t trims_asked_ = 0, trims_done_ = 0;
    decode::SearchStats stats_, stats_base_;
    std::thread worker_;  // with the first job
};

}  // namespace dragoman::translate
