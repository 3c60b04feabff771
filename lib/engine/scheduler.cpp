// SPDX-License-Identifier: Apache-2.0
#include "engine/scheduler.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "base/os/thread.h"
#include "nn/seq2seq.h"

namespace dragoman::engine {

using decode::SearchInput;
using decode::SearchStats;
using decode::Urgency;

namespace {

// A task that a person waits for is at most a paragraph. Larger tasks are bulk work.
constexpr std::size_t kExpressSentences = 8;
constexpr std::size_t kExpressTokens = 512;

std::size_t length(const SearchInput& input) {
    return std::max(input.source.size(), input.context.size() + input.prefix.size());
}

std::exception_ptr cancelled(const char* message) { return std::make_exception_ptr(Error(Status::cancelled, message)); }

bool is_device_lost(const std::exception_ptr& error) { return Failure::of(error).status == Status::device_lost; }

}  // namespace

TaskId Scheduler::new_id() {
    static std::atomic<TaskId> last = 0;  // over all devices: a mailbox may serve several
    return ++last;
}

Scheduler::Scheduler(std::shared_ptr<vulkan::Context> context) : context_(std::move(context)) {}

Scheduler::~Scheduler() {
    if (!worker_.joinable()) return;
    post({.kind = Command::Kind::stop});
    worker_.join();
}

Urgency Scheduler::urgency_of_whole(std::span<const SearchInput> inputs) {
    std::size_t tokens = 0;
    for (const SearchInput& input : inputs) tokens += length(input);
    return inputs.size() <= kExpressSentences && tokens <= kExpressTokens ? Urgency::express : Urgency::bulk;
}

TaskId Scheduler::open(const nn::Seq2Seq& network, TaskOptions options, std::shared_ptr<Mailbox> mailbox) {
    DRAGOMAN_ASSERT(mailbox);
    const TaskId id = new_id();
    const std::lock_guard lock(mutex_);
    if (!worker_.joinable()) worker_ = os::start_worker_thread([this] { work(); });
    // The worker is not woken: it has nothing to do yet.
    commands_.push_back({.kind = Command::Kind::open,
                         .id = id,
                         .network = &network,
                         .options = std::move(options),
                         .mailbox = std::move(mailbox)});
    return id;
}

void Scheduler::add(TaskId task, std::vector<SearchInput> inputs, Urgency urgency, bool last) {
    post({.kind = Command::Kind::add, .id = task, .inputs = std::move(inputs), .urgency = urgency, .last = last});
}

void Scheduler::close(TaskId task) { post({.kind = Command::Kind::close, .id = task}); }

void Scheduler::cancel(TaskId task) { post({.kind = Command::Kind::cancel, .id = task}); }

SearchStats Scheduler::stats(const nn::Seq2Seq& network) const {
    const std::lock_guard lock(mutex_);
    const auto found = stats_.find(&network);
    return found != stats_.end() ? found->second : SearchStats{};
}

void Scheduler::trim() { post_and_wait({.kind = Command::Kind::trim}); }

void Scheduler::forget(const nn::Seq2Seq& network) {
    post_and_wait({.kind = Command::Kind::forget, .network = &network});
}

void Scheduler::settle() {
    {
        const std::lock_guard lock(mutex_);
        if (!worker_.joinable()) return;
        commands_.push_back({.kind = Command::Kind::settle});
    }
    changed_.notify_all();
}

void Scheduler::post(Command command) {
    {
        const std::lock_guard lock(mutex_);
        commands_.push_back(std::move(command));
    }
    changed_.notify_all();
}

void Scheduler::post_and_wait(Command command) {
    std::unique_lock lock(mutex_);
    if (!worker_.joinable()) return;
    const uint64_t mine = ++waits_asked_;
    commands_.push_back(std::move(command));
    changed_.notify_all();
    changed_.wait(lock, [&] { return waits_done_ >= mine; });
}

void Scheduler::work() {
    for (;;) {
        const bool busy = std::ranges::any_of(lanes_, [](const auto& lane) { return lane->tasks > 0; });
        if (!busy) context_->settle();
        std::deque<Command> commands;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return busy || !commands_.empty(); });
            commands.swap(commands_);
        }
        if (!execute(std::move(commands))) break;
        if (Lane* lane = next_lane()) advance(*lane);
    }
    Posts posts;
    end_all(nullptr, nullptr, cancelled("the device was closed"), posts);
    lanes_.clear();
    deliver(posts);
}

bool Scheduler::execute(std::deque<Command> commands) {
    Posts posts;
    uint64_t waited_for = 0;
    bool go_on = true;
    for (Command& command : commands) switch (command.kind) {
            case Command::Kind::open: begin(std::move(command)); break;
            case Command::Kind::add: enter(std::move(command), posts); break;
            case Command::Kind::close:
                if (const auto task = tasks_.find(command.id); task != tasks_.end()) task->second.closed = true;
                end_if_done(command.id, posts);
                break;
            case Command::Kind::cancel: end(command.id, cancelled("translation cancelled"), posts); break;
            case Command::Kind::trim:
                drop_idle(nullptr, nullptr, 0);
                ++waited_for;
                break;
            case Command::Kind::forget: {
                end_all(command.network, nullptr, cancelled("the model was closed"), posts);
                working_stats_.erase(command.network);
                const std::lock_guard lock(mutex_);
                stats_.erase(command.network);
                ++waited_for;
                break;
            }
            case Command::Kind::settle: break;  // the worker does so before it rests
            case Command::Kind::stop: go_on = false; break;
        }
    deliver(posts);
    if (waited_for > 0) {
        {
            const std::lock_guard lock(mutex_);
            waits_done_ += waited_for;
        }
        changed_.notify_all();
    }
    return go_on;
}

void Scheduler::begin(Command command) {
    Task& task = tasks_[command.id];
    task.network = command.network;
    task.options = std::move(command.options);
    task.mailbox = std::move(command.mailbox);
}

void Scheduler::enter(Command command, Posts& posts) {
    const auto found = tasks_.find(command.id);
    if (found == tasks_.end()) return;  // the task has ended
    Task& task = found->second;
    task.closed |= command.last;
    std::vector<SearchInput>& inputs = command.inputs;
    try {
        if (!inputs.empty() && !task.lane) join(task, lane_for(task));
        std::vector<std::size_t> order(inputs.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return length(inputs[i]); });
        if (task.lane) task.rank = std::max(task.rank, task.lane->stream->start_rank(task.options.priority));
        for (const std::size_t i : order) {
            const decode::Ticket ticket = next_ticket_++;
            const double cost = double(length(inputs[i]) + 1);
            tickets_[ticket] = command.id;
            task.inputs[ticket] = task.added + i;
            task.lane->stream->add(ticket, std::move(inputs[i]),
                                   {.priority = task.options.priority,
                                    .rank = task.rank,
                                    .urgency = command.urgency,
                                    .partial = task.options.partial});
            task.rank += cost;
        }
        task.added += inputs.size();
        end_if_done(command.id, posts);
    } catch (...) {
        end(command.id, std::current_exception(), posts);
    }
}

void Scheduler::advance(Lane& lane) {
    lane.used = ++turns_;
    decode::StreamEvents events;
    std::exception_ptr error;
    const bool express = lane.stream->has_express();
    const auto begin = std::chrono::steady_clock::now();
    try {
        lane.stream->advance(events);
    } catch (...) {
        error = std::current_exception();
    }
    note_turn(express, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    lane.virtual_tokens += double(events.source_tokens) / double(std::max<std::size_t>(lane.tasks, 1));
    if (only_ == &lane && !(events.finished.empty() && events.failed.empty())) only_ = nullptr;
    {
        const std::lock_guard lock(mutex_);
        stats_[lane.network] = working_stats_[lane.network];
    }
    Posts posts;
    if (error) end_all(nullptr, is_device_lost(error) ? nullptr : &lane, error, posts);
    else report(std::move(events), posts);
    deliver(posts);
}

void Scheduler::report(decode::StreamEvents events, Posts& posts) {
    const auto event_of = [&](decode::Ticket ticket, Event::Kind kind) -> std::optional<Event> {
        const auto known = tickets_.find(ticket);
        if (known == tickets_.end()) return {};
        return Event{.kind = kind, .task = known->second, .input = tasks_.at(known->second).inputs.at(ticket)};
    };
    for (auto& [ticket, tokens] : events.partial)
        if (auto event = event_of(ticket, Event::Kind::partial)) {
            event->tokens = std::move(tokens);
            posts[tasks_.at(event->task).mailbox].push_back(std::move(*event));
        }
    for (auto& [ticket, output] : events.finished)
        if (auto event = event_of(ticket, Event::Kind::finished)) {
            const TaskId id = event->task;
            Task& task = tasks_.at(id);
            event->output = std::move(output);
            posts[task.mailbox].push_back(std::move(*event));
            tickets_.erase(ticket);
            task.inputs.erase(ticket);
            if (task.inputs.empty()) leave(task);
            end_if_done(id, posts);
        }
    for (const auto& [ticket, failure] : events.failed)
        if (const auto known = tickets_.find(ticket); known != tickets_.end())
            end(known->second, std::make_exception_ptr(failure), posts);
    for (const auto& [id, task] : tasks_)
        if (task.lane) posts[task.mailbox];
    for (auto& [mailbox, list] : posts) list.push_back({.kind = Event::Kind::progress});
}

void Scheduler::end_if_done(TaskId id, Posts& posts) {
    const auto at = tasks_.find(id);
    if (at != tasks_.end() && at->second.closed && at->second.inputs.empty()) end(id, nullptr, posts);
}

// Forgets a task; no event of it follows its end.
void Scheduler::end(TaskId id, const std::exception_ptr& error, Posts& posts) {
    const auto at = tasks_.find(id);
    if (at == tasks_.end()) return;
    Task& task = at->second;
    for (const auto& [ticket, input] : task.inputs) {
        tickets_.erase(ticket);
        try {
            task.lane->stream->cancel(ticket);
        } catch (const Error& failure) {  // the device's; the stream's next step will report it
            log(LogLevel::debug, "a sentence of an ended task: {}", failure.what());
        }
    }
    leave(task);
    posts[task.mailbox].push_back({.kind = Event::Kind::ended, .task = id, .failure = Failure::of(error)});
    tasks_.erase(at);
}

// Ends the tasks with inputs in a lane that cannot go on, or the tasks of a network, or all; their lanes go with them.
void Scheduler::end_all(const nn::Seq2Seq* network, const Lane* lane, const std::exception_ptr& error, Posts& posts) {
    const Failure failure = Failure::of(error);
    for (auto at = tasks_.begin(); at != tasks_.end();) {
        Task& task = at->second;
        if ((network && task.network != network) || (lane && task.lane != lane)) {
            ++at;
            continue;
        }
        for (const auto& [ticket, input] : task.inputs) tickets_.erase(ticket);
        leave(task);
        posts[task.mailbox].push_back({.kind = Event::Kind::ended, .task = at->first, .failure = failure});
        at = tasks_.erase(at);
    }
    std::erase_if(lanes_, [&](const auto& one) {
        return (!network || one->network == network) && (!lane || one.get() == lane);
    });
    if (std::ranges::none_of(lanes_, [&](const auto& one) { return one.get() == only_; })) only_ = nullptr;
    for (const auto& one : lanes_) one->stream->regain_slots();
}

void Scheduler::deliver(Posts& posts) {
    for (auto& [mailbox, events] : posts)
        if (!events.empty()) mailbox->post(std::move(events));
}

}  // namespace dragoman::engine
