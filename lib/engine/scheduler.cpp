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
#include "base/start_thread.h"
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

}  // namespace

TaskId Scheduler::new_id() {
    static std::atomic<TaskId> last = 0;  // over all devices: a mailbox may serve several
    return ++last;
}

Scheduler::Scheduler(std::shared_ptr<vulkan::Context> context) : context_(std::move(context)) {}

Scheduler::~Scheduler() {
    if (!worker_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
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
    Commands opening(1), cancelling(1);
    opening.front().kind = Command::Kind::open;
    opening.front().id = cancelling.front().id = id;
    Task& task = opening.front().task[id];
    task.network = &network;
    task.options = std::move(options);
    task.mailbox = std::move(mailbox);
    const std::lock_guard lock(mutex_);
    if (!worker_.joinable()) worker_ = start_thread("the device's scheduler", [this] { work(); });
    cancels_.emplace(id, std::move(cancelling));
    // The worker is not woken: it has nothing to do yet.
    commands_.splice(commands_.end(), opening);
    return id;
}

void Scheduler::add(TaskId task, std::vector<SearchInput> inputs, Urgency urgency, bool last) {
    post({.kind = Command::Kind::add, .id = task, .inputs = std::move(inputs), .urgency = urgency, .last = last});
}

void Scheduler::close(TaskId task) { post({.kind = Command::Kind::close, .id = task}); }

void Scheduler::cancel(TaskId task) noexcept {
    {
        const std::lock_guard lock(mutex_);
        const auto at = cancels_.find(task);
        if (at == cancels_.end()) return;  // it has ended
        commands_.splice(commands_.end(), at->second);
    }
    changed_.notify_all();
}

SearchStats Scheduler::stats(const nn::Seq2Seq& network) const {
    const std::lock_guard lock(mutex_);
    const auto found = stats_.find(&network);
    return found != stats_.end() ? found->second : SearchStats{};
}

void Scheduler::trim() noexcept {
    Wait trim;
    wait(trim);
}

void Scheduler::forget(const nn::Seq2Seq& network) noexcept {
    Wait forget{.forget = &network};
    wait(forget);
}

void Scheduler::post(Command command) {
    Commands one;
    one.push_back(std::move(command));
    {
        const std::lock_guard lock(mutex_);
        commands_.splice(commands_.end(), one);
    }
    changed_.notify_all();
}

void Scheduler::wait(Wait& wait) noexcept {
    std::unique_lock lock(mutex_);
    if (!worker_.joinable()) return;
    wait.next = std::exchange(waits_, &wait);
    changed_.notify_all();
    changed_.wait(lock, [&] { return wait.done; });
}

void Scheduler::work() noexcept {
    for (bool stop = false; !stop;) {
        const bool busy = std::ranges::any_of(lanes_, [](const auto& lane) { return lane->tasks > 0; });
        if (!busy) context_->settle();
        Commands commands;
        Wait* waits = nullptr;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return busy || stop_ || waits_ || !commands_.empty(); });
            commands.swap(commands_);
            waits = std::exchange(waits_, nullptr);
            stop = stop_;
        }
        for (Command& command : commands) execute(command);
        if (waits) answer(waits);
        if (stop) break;
        if (Lane* lane = next_lane()) advance(*lane);
    }
    end_all(nullptr, nullptr, Failure::make(Status::cancelled, "the device was closed"));
    lanes_.clear();
}

void Scheduler::execute(Command& command) noexcept {
    switch (command.kind) {
        case Command::Kind::open: tasks_.merge(command.task); break;
        case Command::Kind::add: enter(command); break;
        case Command::Kind::close:
            if (const auto task = tasks_.find(command.id); task != tasks_.end()) task->second.closed = true;
            end_if_done(command.id);
            break;
        case Command::Kind::cancel: end(command.id, Failure::make(Status::cancelled, "translation cancelled")); break;
    }
}

// The list ends before any of those who wait goes on.
void Scheduler::answer(Wait* waits) noexcept {
    for (const Wait* wait = waits; wait; wait = wait->next) {
        if (!wait->forget) {
            drop_idle(nullptr, nullptr, 0);
            continue;
        }
        end_all(wait->forget, nullptr, Failure::make(Status::cancelled, "the model was closed"));
        working_stats_.erase(wait->forget);
        const std::lock_guard lock(mutex_);
        stats_.erase(wait->forget);
    }
    {
        const std::lock_guard lock(mutex_);
        for (Wait* wait = waits; wait; wait = wait->next) wait->done = true;
    }
    changed_.notify_all();
}

void Scheduler::enter(Command& command) noexcept {
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
            task.inputs[ticket] = task.added + i;
            tickets_[ticket] = command.id;
            task.lane->stream->add(ticket, std::move(inputs[i]),
                                   {.priority = task.options.priority,
                                    .rank = task.rank,
                                    .urgency = command.urgency,
                                    .partial = task.options.partial});
            task.rank += cost;
        }
        task.added += inputs.size();
        end_if_done(command.id);
    } catch (...) {
        end(command.id, Failure::current());
    }
}

void Scheduler::advance(Lane& lane) {
    lane.used = ++turns_;
    decode::StreamEvents events;
    Failure failure;
    const bool express = lane.stream->has_express();
    const auto begin = std::chrono::steady_clock::now();
    try {
        lane.stream->advance(events);
    } catch (...) {
        failure = Failure::current();
    }
    note_turn(express, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    lane.virtual_tokens += double(events.source_tokens) / double(std::max<std::size_t>(lane.tasks, 1));
    if (only_ == &lane && !(events.finished.empty() && events.failed.empty())) only_ = nullptr;
    try {
        const std::lock_guard lock(mutex_);
        stats_[lane.network] = working_stats_.at(lane.network);
    } catch (const std::exception& error) {  // no memory for the first; the next turn makes it
        log(LogLevel::debug, "statistics are late: {}", error.what());
    }
    if (failure) end_all(nullptr, failure.status == Status::device_lost ? nullptr : &lane, failure);
    else report(std::move(events));
    while (true) {
        const auto broken = std::ranges::find_if(lanes_, [](const auto& one) { return bool(one->broken); });
        if (broken == lanes_.end()) break;
        const Failure why = std::move((*broken)->broken);
        end_all(nullptr, broken->get(), why);
    }
}

void Scheduler::Post::add(const std::shared_ptr<Mailbox>& to, Events more) noexcept {
    if (mailbox != to) send();
    mailbox = to;
    events.splice(events.end(), more);
}

void Scheduler::Post::send() noexcept {
    if (mailbox) mailbox->post(std::move(events), true);
    mailbox = nullptr;
    events.clear();
}

void Scheduler::report(decode::StreamEvents events) noexcept {
    Post post;
    for (auto& partial : events.partial) report_partial(partial, post);
    for (auto& finished : events.finished) report_finished(finished, post);
    post.send();
    for (const auto& [ticket, error] : events.failed)
        if (const auto known = tickets_.find(ticket); known != tickets_.end())
            end(known->second, Failure::make(error.status(), error.what()));
    for (const auto& [id, task] : tasks_)
        if (task.lane) post.add(task.mailbox, {});
    post.send();
}

void Scheduler::report_finished(decode::StreamEvents::Finished& finished, Post& post) noexcept {
    const auto known = tickets_.find(finished.ticket);
    if (known == tickets_.end()) return;
    const TaskId id = known->second;
    Task& task = tasks_.at(id);
    try {
        Events one(1);
        one.front().kind = Event::Kind::finished;
        one.front().task = id;
        one.front().input = task.inputs.at(finished.ticket);
        one.front().output = std::move(finished.output);
        post.add(task.mailbox, std::move(one));
    } catch (...) {
        post.send();
        return end(id, Failure::current());
    }
    tickets_.erase(known);
    task.inputs.erase(finished.ticket);
    if (task.inputs.empty()) leave(task);
    if (!task.closed || !task.inputs.empty()) return;
    Event& last = task.end.front();
    last.kind = Event::Kind::ended;
    last.task = id;
    post.add(task.mailbox, std::move(task.end));
    end(id, {});
}

// Those who listen miss it where there is no memory; the next one comes soon.
void Scheduler::report_partial(decode::StreamEvents::Partial& partial, Post& post) noexcept try {
    const auto known = tickets_.find(partial.ticket);
    if (known == tickets_.end()) return;
    const Task& task = tasks_.at(known->second);
    Events one(1);
    one.front().kind = Event::Kind::partial;
    one.front().task = known->second;
    one.front().input = task.inputs.at(partial.ticket);
    one.front().tokens = std::move(partial.tokens);
    post.add(task.mailbox, std::move(one));
} catch (const std::exception& error) {
    log(LogLevel::debug, "a partial result is not told: {}", error.what());
}

void Scheduler::end_if_done(TaskId id) noexcept {
    const auto at = tasks_.find(id);
    if (at != tasks_.end() && at->second.closed && at->second.inputs.empty()) end(at, {});
}

void Scheduler::end(TaskId id, const Failure& failure) noexcept {
    const auto at = tasks_.find(id);
    if (at == tasks_.end()) return;
    Task& task = at->second;
    for (const auto& [ticket, input] : task.inputs) try {
            if (task.lane) task.lane->stream->cancel(ticket);
        } catch (const std::exception& error) {  // the device's; the stream's next step will report it
            log(LogLevel::debug, "a sentence of an ended task: {}", error.what());
        }
    end(at, failure);
}

// Forgets a task; no event of it follows its end.
Scheduler::Tasks::iterator Scheduler::end(Tasks::iterator at, const Failure& failure) noexcept {
    auto& [id, task] = *at;
    for (const auto& [ticket, input] : task.inputs) tickets_.erase(ticket);
    leave(task);
    if (!task.end.empty()) {
        Event& event = task.end.front();
        event.kind = Event::Kind::ended;
        event.task = id;
        event.failure.set(failure);
        task.mailbox->post(std::move(task.end));
    }
    {
        const std::lock_guard lock(mutex_);
        cancels_.erase(id);
    }
    return tasks_.erase(at);
}

// Ends the tasks with inputs in a lane that cannot go on, or the tasks of a network, or all; their lanes go with them.
void Scheduler::end_all(const nn::Seq2Seq* network, const Lane* lane, const Failure& failure) noexcept {
    for (auto at = tasks_.begin(); at != tasks_.end();) {
        const Task& task = at->second;
        if ((network && task.network != network) || (lane && task.lane != lane)) ++at;
        else at = end(at, failure);
    }
    std::erase_if(lanes_, [&](const auto& one) {
        return (!network || one->network == network) && (!lane || one.get() == lane);
    });
    if (std::ranges::none_of(lanes_, [&](const auto& one) { return one.get() == only_; })) only_ = nullptr;
    for (const auto& one : lanes_) one->stream->regain_slots();
}

}  // namespace dragoman::engine
