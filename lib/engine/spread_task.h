// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/mailbox.h"
#include "engine/replicas.h"
#include "engine/scheduler.h"

namespace dragoman::engine {

// A task of the schedulers of all devices that have the model. On one device all inputs go to that scheduler's task. On
// several they wait here, longest first, and go to the device that will be free first, some at a time. Those of a device
// that is lost go to the others, and to itself once it is open again (Replicas::renew). One thread at a time may use
// it, except for cancel().
class SpreadTask {
public:
    // How the task runs on one of the model's devices.
    struct OnDevice {
        const nn::Seq2Seq* network;
        TaskOptions options;
    };
    using Open = std::function<OnDevice(const Model&)>;

    // `open` is called at once or, where `lazy`, before the first input; and again after a device was lost.
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
        TaskId id = 0;  // of the scheduler's task, or of the wait for a lost device
        std::shared_ptr<OpenDevice> on{};  // null: not begun, or waits
        std::size_t slots = 0;
        std::size_t at_work = 0;
        // Numbers of inputs by the scheduler's. On one device `from` and what follows come after them.
        std::vector<std::size_t> numbers{};
        std::size_t from = 0;
        bool ended = false;  // takes no more inputs
        bool works() const { return on && !ended; }
        bool waits() const { return !on && id != 0 && !ended; }
    };

    bool alone() const { return replicas_->count() == 1; }
    void open(std::size_t replica);
    void wait(std::size_t replica, const std::shared_ptr<OpenDevice>& lost, const std::string& why);
    void post_cancelled(TaskId id) const noexcept;
    void set(Part& part, TaskId id, std::shared_ptr<OpenDevice> on);
    void add_alone(std::vector<decode::SearchInput> inputs, decode::Urgency urgency, bool last);
    void give_all();
    std::size_t number_of(const Part& part, std::size_t input) const;
    void feed();
    std::optional<std::size_t> next_free(std::size_t tokens) const;
    void close_parts_if_done();
    void leave(std::size_t replica, std::size_t number, bool done);
    std::optional<Event> take_end(std::size_t replica, Event event);
    std::optional<Event> take_reopened(std::size_t replica, Event event);
    std::optional<Event> end_if_over(Event event);
    bool is_loss(std::size_t replica, const Failure& failure) const;
    bool any_left() const;  // a device that takes inputs, or may do so soon
    void take_back(std::size_t replica);

    const std::shared_ptr<const Replicas> replicas_;
    const Open open_;
    const std::shared_ptr<Mailbox> mailbox_;
    std::vector<Part> parts_;
    std::mutex mutex_;  // guards id and on of the parts against cancel()
    // Unfinished inputs by their numbers; and on several devices those that no device has, longest first.
    std::map<std::size_t, Input> inputs_{};
    std::multimap<std::size_t, std::size_t, std::greater<>> waiting_{};
    std::size_t added_ = 0;
    bool closed_ = false, parts_closed_ = false, over_ = false;
    std::atomic<bool> cancelled_ = false;
};

}  // namespace dragoman::engine
