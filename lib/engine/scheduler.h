// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <unordered_map>

#include "decode/stream.h"
#include "engine/mailbox.h"

namespace dragoman::nn {
class Seq2Seq;
}

namespace dragoman::engine {

struct TaskOptions {
    decode::SearchRules rules;
    decode::StreamLimits limits;
    int32_t priority = 0;  // higher priorities first
    bool partial = false;
};

// Runs the searches of any number of tasks for any number of networks on one device, on a thread of its own. Tasks of a
// network with equal rules and limits share a lane, which is a running search; lanes take turns. Both within a lane and
// among lanes, tasks of one priority get equal shares by start-time fair queueing (Goyal et al. 1996) over source
// tokens while they have inputs left, so a short task overtakes a long one's queue. Safe from any thread.
class Scheduler {
public:
    explicit Scheduler(std::shared_ptr<vulkan::Context> context);
    ~Scheduler();  // unfinished tasks end as cancelled

    // The network must outlive the task, or be given to forget() before it ends. A task without inputs costs nothing.
    TaskId open(const nn::Seq2Seq& network, TaskOptions options, std::shared_ptr<Mailbox> mailbox);
    // An id that no task has, for events that are no task's.
    static TaskId new_id();
    // Inputs are numbered from 0 over all calls; those of one call enter longest first. Every input gets one event
    // `finished` before the task's `ended`; after a failure no more events come. `last` does what close() does.
    void add(TaskId task, std::vector<decode::SearchInput> inputs, decode::Urgency urgency, bool last = false);
    void close(TaskId task);  // no more inputs: the task ends after its last one
    void cancel(TaskId task) noexcept;  // the task ends soon, unless it has ended
    // The urgency of a task that has only these inputs: express if it is small.
    static decode::Urgency urgency_of_whole(std::span<const decode::SearchInput> inputs);

    decode::SearchStats stats(const nn::Seq2Seq& network) const;
    void trim() noexcept;  // frees the buffers of idle searches; waits for the worker to do it
    // cancels its tasks and frees everything kept for it; waits for the worker to do it
    void forget(const nn::Seq2Seq& network) noexcept;

private:
    struct Lane {
        const nn::Seq2Seq* network = nullptr;
        std::unique_ptr<decode::Stream> stream;
        std::size_t tasks = 0;  // tasks with inputs in it
        double virtual_tokens = 0.0;  // source tokens per task: the amount for a task that was always here
        uint64_t used = 0;  // number of the turn of its last step
        Failure broken{};  // what kept it from giving up its room
    };
    struct Task {
        const nn::Seq2Seq* network = nullptr;
        TaskOptions options;
        std::shared_ptr<Mailbox> mailbox;
        Lane* lane = nullptr;  // set while the task has inputs
        std::unordered_map<decode::Ticket, std::size_t> inputs;  // unfinished inputs
        std::size_t added = 0;
        double rank = 0.0;  // rank of its next input
        bool closed = false;
        Events end = Events(1);  // its last event: made here, since a task must end where there is no memory
    };
    using Tasks = std::map<TaskId, Task>;
    struct Command {
        enum class Kind : uint8_t { open, add, close, cancel } kind = Kind::cancel;
        TaskId id = 0;
        Tasks task{};  // for `open`, the only one
        std::vector<decode::SearchInput> inputs{};
        decode::Urgency urgency = decode::Urgency::bulk;
        bool last = false;
    };
    using Commands = std::list<Command>;
    // Lives on the stack of a caller that waits.
    struct Wait {
        const nn::Seq2Seq* forget = nullptr;  // null: trim
        bool done = false;
        Wait* next = nullptr;
    };
    // Events on their way to a mailbox; those of a task that end together go together.
    struct Post {
        std::shared_ptr<Mailbox> mailbox{};
        Events events{};
        void add(const std::shared_ptr<Mailbox>& to, Events more) noexcept;
        void send() noexcept;
    };

    void post(Command command);
    void wait(Wait& wait) noexcept;
    void work() noexcept;
    void execute(Command& command) noexcept;
    void answer(Wait* waits) noexcept;
    void enter(Command& command) noexcept;
    Lane& lane_for(const Task& task);
    void join(Task& task, Lane& lane);
    void leave(Task& task);
    Lane* next_lane();
    void advance(Lane& lane);
    void note_turn(bool express, double seconds);
    void report(decode::StreamEvents events) noexcept;
    void report_finished(decode::StreamEvents::Finished& finished, Post& post) noexcept;
    void report_partial(decode::StreamEvents::Partial& partial, Post& post) noexcept;
    void end(TaskId id, const Failure& failure) noexcept;
    Tasks::iterator end(Tasks::iterator task, const Failure& failure) noexcept;
    void end_all(const nn::Seq2Seq* network, const Lane* lane, const Failure& failure) noexcept;
    void end_if_done(TaskId id) noexcept;
    bool make_room(Lane& asking, uint32_t slots);
    bool drop_idle(const Lane* except, const nn::Seq2Seq* network, std::size_t keep) noexcept;

    std::shared_ptr<vulkan::Context> context_;

    // These belong to the worker.
    std::vector<std::unique_ptr<Lane>> lanes_;
    Tasks tasks_;
    std::unordered_map<decode::Ticket, TaskId> tickets_;
    std::map<const nn::Seq2Seq*, decode::SearchStats> working_stats_;
    decode::Ticket next_ticket_ = 0;
    uint64_t turns_ = 0;
    double rested_seconds_ = 0.0;  // of lanes without express sentences, for those with some
    Lane* only_ = nullptr;  // it got its room from others, and runs alone until one of its inputs is finished

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    Commands commands_;
    // A command for each task that has not been cancelled: cancelling must not need memory.
    std::map<TaskId, Commands> cancels_;
    Wait* waits_ = nullptr;
    bool stop_ = false;
    std::map<const nn::Seq2Seq*, decode::SearchStats> stats_;
    std::thread worker_;  // started with the first task
};

}  // namespace dragoman::engine
