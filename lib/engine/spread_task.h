// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/mailbox.h"
#include "engine/replicas.h"
#include "engine/scheduler.h"

namespace dragoman::engine {

// A task of the schedulers of all devices that have the model. On one device it is that scheduler's task. On several,
// inputs wait here, longest first, and go to the device that will be free first, some at a time; those of a device that
// is lost go to the others. One thread at a time may use it, except for cancel().
class SpreadTask {
public:
    // How the task runs on one of the model's devices.
    struct OnDevice {
        const nn::Seq2Seq* network;
        TaskOptions options;
    };
    using Open = std::function<OnDevice(const Model&)>;

    // `open` is called at most once for each device: at once, or, where `lazy`, before its first input.
    SpreadTask(std::shared_ptr<const Replicas> replicas, Open open, std::shared_ptr<Mailbox> mailbox,
               bool lazy = false);
    ~SpreadTask();  // does not cancel it
    SpreadTask(const SpreadTask&) = delete;

    // As the scheduler's.
    void add(std::vector<decode::SearchInput> inputs, decode::Urgency urgency, bool last = false);
    void close();
    void cancel() noexcept;  // from any thread

    bool owns(const Event& event) const;
    // The event as the caller is to see it, its input by its number over all calls of add(). Nothing: it concerns one
    // device only. The event must belong to this task.
    std::optional<Event> take(Event event);

private:
    struct Input {
        decode::SearchInput input;
        decode::Urgency urgency;
    };
    struct Part {  // the task on one device
        std::atomic<TaskId> id = 0;
        std::size_t slots = 0;
        std::size_t at_work = 0;
        std::vector<std::size_t> numbers{};  // by the scheduler's
        bool ended = false;
    };

    bool alone() const { return replicas_->count() == 1; }
    void open(std::size_t replica);
    void feed();
    std::optional<std::size_t> next_free(std::size_t tokens) const;
    void close_parts_if_done();
    void leave(std::size_t replica, std::size_t number, bool done);
    std::optional<Event> take_end(std::size_t replica, Event event);
    bool any_left() const;  // a device that can take inputs
    void take_back(std::size_t replica);
    Scheduler& scheduler(std::size_t replica) const { return replicas_->at(replica).device().scheduler(); }

    const std::shared_ptr<const Replicas> replicas_;
    const Open open_;
    const std::shared_ptr<Mailbox> mailbox_;
    std::vector<Part> parts_;
    // On several devices: inputs that wait, longest first; and those that a device has, by their numbers.
    std::multimap<std::size_t, std::size_t, std::greater<>> waiting_{};
    std::map<std::size_t, Input> inputs_{};
    std::size_t added_ = 0;
    bool closed_ = false, parts_closed_ = false;
    std::atomic<bool> cancelled_ = false;
};

}  // namespace dragoman::engine
