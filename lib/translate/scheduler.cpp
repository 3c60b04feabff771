// SPDX-License-Identifier: Apache-2.0
#include "translate/scheduler.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "base/os/thread.h"

namespace dragoman::translate {

using decode::SearchInput;
using decode::SearchStats;
using decode::Stream;

namespace {

constexpr std::size_t kKeptLanes = 4;         // searches whose buffers wait for the next job of their rules
constexpr std::size_t kExpressSentences = 8;  // a job with more of them,
constexpr std::size_t kExpressTokens = 512;   // or of source tokens, is bulk work

std::size_t length(const SearchInput& input) {
    return std::max(input.source.size(), input.context.size() + input.prefix.size());
}

// An error as words: exceptions stay on their thread.
SearchEvent end_of(JobId job, const std::exception_ptr& error) {
    SearchEvent event{.kind = SearchEvent::Kind::ended, .job = job};
    const auto set = [&](Status status, const char* message) {
        event.status = status;
        event.message = message;
    };
    try {
        if (error) std::rethrow_exception(error);
    } catch (const Error& caught) {
        set(caught.status(), caught.what());
    } catch (const std::bad_alloc&) {
        set(Status::out_of_memory, "out of host memory");
    } catch (const std::exception& caught) {
        set(Status::internal, caught.what());
    }
    return event;
}

SearchStats difference(const SearchStats& a, const SearchStats& b) {
    return {.batches = a.batches - b.batches,
            .decoder_steps = a.decoder_steps - b.decoder_steps,
            .slot_steps = a.slot_steps - b.slot_steps,
            .row_steps = a.row_steps - b.row_steps,
            .dispatches_per_step = a.dispatches_per_step};
}

}  // namespace

void Mailbox::post(std::vector<SearchEvent> events) {
    {
        const std::lock_guard lock(mutex_);
        std::ranges::move(events, std::back_inserter(events_));
    }
    filled_.notify_all();
}

std::vector<SearchEvent> Mailbox::take() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [this] { return !events_.empty(); });
    return std::exchange(events_, {});
}

Scheduler::Scheduler(std::shared_ptr<vulkan::Context> context, const nn::Seq2Seq& model)
    : context_(std::move(context)), model_(model) {}

Scheduler::~Scheduler() {
    if (!worker_.joinable()) return;
    post({.kind = Command::Kind::stop});
    worker_.join();
}

JobId Scheduler::submit(SearchJob job, std::shared_ptr<Mailbox> mailbox) {
    DRAGOMAN_ASSERT(!job.inputs.empty() && mailbox);
    JobId id = 0;
    {
        const std::lock_guard lock(mutex_);
        if (!worker_.joinable()) worker_ = os::start_worker_thread([this] { work(); });
        id = next_job_++;
        commands_.push_back(
            {.kind = Command::Kind::submit, .id = id, .job = std::move(job), .mailbox = std::move(mailbox)});
    }
    changed_.notify_all();
    return id;
}

void Scheduler::cancel(JobId job) { post({.kind = Command::Kind::cancel, .id = job}); }

SearchStats Scheduler::stats() const {
    const std::lock_guard lock(mutex_);
    return difference(stats_, stats_base_);
}

void Scheduler::reset_stats() {
    const std::lock_guard lock(mutex_);
    stats_base_ = stats_;
}

void Scheduler::trim() {
    std::unique_lock lock(mutex_);
    if (!worker_.joinable()) return;
    const uint64_t mine = ++trims_asked_;
    commands_.push_back({.kind = Command::Kind::trim});
    changed_.notify_all();
    changed_.wait(lock, [&] { return trims_done_ >= mine; });
}

void Scheduler::post(Command command) {
    {
        const std::lock_guard lock(mutex_);
        commands_.push_back(std::move(command));
    }
    changed_.notify_all();
}

void Scheduler::work() {
    for (;;) {
        std::deque<Command> commands;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return !commands_.empty() || !running_.empty(); });
            commands.swap(commands_);
        }
        if (!obey(std::move(commands))) break;
        if (Lane* lane = next_lane()) advance(*lane);
    }
    end_all(nullptr, std::make_exception_ptr(Error(Status::cancelled, "the translator was closed")));
    lanes_.clear();
}

bool Scheduler::obey(std::deque<Command> commands) {
    for (Command& command : commands) switch (command.kind) {
            case Command::Kind::submit: begin(std::move(command)); break;
            case Command::Kind::cancel: {
                Posts posts;
                end(command.id, std::make_exception_ptr(Error(Status::cancelled, "translation cancelled")), posts);
                deliver(posts);
                break;
            }
            case Command::Kind::trim: {
                drop_idle(nullptr, 0);
                {
                    const std::lock_guard lock(mutex_);
                    ++trims_done_;
                }
                changed_.notify_all();
                break;
            }
            case Command::Kind::stop: return false;
        }
    return true;
}

void Scheduler::begin(Command command) {
    SearchJob& job = command.job;
    Running& running = running_[command.id];
    running.mailbox = std::move(command.mailbox);
    try {
        Lane& lane = lane_for(job);
        ++lane.running;
        running.stream = lane.stream.get();
        std::vector<std::size_t> order(job.inputs.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return length(job.inputs[i]); });
        std::size_t tokens = 0;
        for (const SearchInput& input : job.inputs) tokens += length(input);
        const bool express = job.inputs.size() <= kExpressSentences && tokens <= kExpressTokens;
        double rank = running.stream->lowest_rank(job.priority).value_or(0.0);
        for (const std::size_t i : order) {
            const decode::Ticket ticket = next_ticket_++;
            const double cost = double(length(job.inputs[i]) + 1);
            tickets_[ticket] = command.id;
            running.inputs[ticket] = i;
            running.stream->add(ticket, std::move(job.inputs[i]),
                                {.priority = job.priority,
                                 .rank = rank,
                                 .urgency = express ? decode::Urgency::express : decode::Urgency::bulk,
                                 .partial = job.partial});
            rank += cost;
        }
    } catch (...) {
        Posts posts;
        end(command.id, std::current_exception(), posts);
        deliver(posts);
    }
}

Scheduler::Lane& Scheduler::lane_for(const SearchJob& job) {
    const auto found = std::ranges::find_if(lanes_, [&](const auto& lane) {
        return lane->stream->rules() == job.rules && lane->stream->limits() == job.limits;
    });
    Lane* lane = found != lanes_.end() ? found->get() : nullptr;
    if (!lane) {
        drop_idle(nullptr, kKeptLanes - 1);
        lane = lanes_.emplace_back(std::make_unique<Lane>()).get();
        lane->stream = std::make_unique<Stream>(context_, model_, job.rules, job.limits, working_stats_);
        lane->stream->set_make_room([this, stream = lane->stream.get()] {
            const std::size_t before = lanes_.size();
            drop_idle(stream, 0);
            return lanes_.size() < before;
        });
    }
    if (lane->running > 0) return *lane;
    // It has no claim on the time when it had nothing to do.
    std::optional<double> least;
    for (const auto& other : lanes_)
        if (other->running > 0) least = std::min(least.value_or(other->busy_seconds), other->busy_seconds);
    lane->busy_seconds = least.value_or(0.0);
    return *lane;
}

// The most urgent sentences first; else who had least.
Scheduler::Lane* Scheduler::next_lane() {
    Lane* next = nullptr;
    int32_t highest = 0;
    for (const auto& lane : lanes_) {
        if (lane->stream->idle()) continue;
        const int32_t priority = lane->stream->highest_priority();
        if (!next || priority > highest || (priority == highest && lane->busy_seconds < next->busy_seconds)) {
            next = lane.get();
            highest = priority;
        }
    }
    return next;
}

void Scheduler::advance(Lane& lane) {
    lane.used = ++turns_;
    Stream* stream = lane.stream.get();
    decode::StreamEvents events;
    std::exception_ptr error;
    const auto began = std::chrono::steady_clock::now();
    try {
        stream->advance(events);
    } catch (...) {
        error = std::current_exception();
    }
    lane.busy_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    {
        const std::lock_guard lock(mutex_);
        stats_ = working_stats_;
    }
    if (error) return end_all(stream, error);

    Posts posts;
    for (auto& [ticket, tokens] : events.partial) {
        const auto known = tickets_.find(ticket);
        if (known == tickets_.end()) continue;
        const JobId id = known->second;
        Running& job = running_.at(id);
        SearchEvent event{.kind = SearchEvent::Kind::partial, .job = id, .input = job.inputs.at(ticket)};
        event.tokens = std::move(tokens);
        posts[job.mailbox].push_back(std::move(event));
    }
    for (auto& [ticket, output] : events.finished) {
        const auto known = tickets_.find(ticket);
        if (known == tickets_.end()) continue;
        const JobId id = known->second;
        tickets_.erase(known);
        Running& job = running_.at(id);
        SearchEvent event{.kind = SearchEvent::Kind::finished, .job = id, .input = job.inputs.at(ticket)};
        event.output = std::move(output);
        posts[job.mailbox].push_back(std::move(event));
        job.inputs.erase(ticket);
        if (job.inputs.empty()) end(id, {}, posts);
    }
    for (const auto& [ticket, failure] : events.failed)
        if (const auto known = tickets_.find(ticket); known != tickets_.end())
            end(known->second, std::make_exception_ptr(failure), posts);
    for (const auto& [id, job] : running_) posts[job.mailbox];
    for (auto& [mailbox, list] : posts) list.push_back({.kind = SearchEvent::Kind::progress});
    deliver(posts);
}

// Forgets a job; nothing of it is told afterwards.
void Scheduler::end(JobId id, std::exception_ptr error, Posts& posts) {
    const auto at = running_.find(id);
    if (at == running_.end()) return;
    Running job = std::move(at->second);
    running_.erase(at);
    for (const auto& [ticket, input] : job.inputs) {
        tickets_.erase(ticket);
        try {
            job.stream->cancel(ticket);
        } catch (const Error& failure) {  // of the device, which the stream's next step will tell of
            log(LogLevel::debug, "{}", failure.what());
        }
    }
    for (const auto& lane : lanes_)
        if (lane->stream.get() == job.stream) --lane->running;
    posts[job.mailbox].push_back(end_of(id, error));
}

// Ends the jobs of a stream that cannot go on; null: all.
void Scheduler::end_all(Stream* stream, std::exception_ptr error) {
    std::erase_if(lanes_, [&](const auto& lane) { return !stream || lane->stream.get() == stream; });
    Posts posts;
    std::erase_if(running_, [&](const auto& entry) {
        const auto& [id, job] = entry;
        if (stream && job.stream != stream) return false;
        for (const auto& [ticket, input] : job.inputs) tickets_.erase(ticket);
        posts[job.mailbox].push_back(end_of(id, error));
        return true;
    });
    deliver(posts);
}

// Keeps those used last.
void Scheduler::drop_idle(const Stream* but, std::size_t keep) {
    std::vector<Lane*> idle;
    for (const auto& lane : lanes_)
        if (lane->running == 0 && lane->stream.get() != but) idle.push_back(lane.get());
    std::ranges::sort(idle, {}, &Lane::used);
    if (idle.size() > keep) idle.resize(idle.size() - keep);
    else idle.clear();
    std::erase_if(lanes_, [&](const auto& lane) { return std::ranges::find(idle, lane.get()) != idle.end(); });
}

void Scheduler::deliver(Posts& posts) {
    for (auto& [mailbox, events] : posts)
        if (!events.empty()) mailbox->post(std::move(events));
}

}  // namespace dragoman::translate
