// SPDX-License-Identifier: Apache-2.0
#include "engine/spread_task.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/error.h"

namespace dragoman::engine {

using decode::SearchInput;

SpreadTask::SpreadTask(std::shared_ptr<const Replicas> replicas, Open open, std::shared_ptr<Mailbox> mailbox, bool lazy)
    : replicas_(std::move(replicas)), open_(std::move(open)), mailbox_(std::move(mailbox)), parts_(replicas_->count()) {
    if (lazy) return;
    for (std::size_t replica = 0; replica < parts_.size(); ++replica)
        if (!replicas_->lost(replica)) this->open(replica);
    // With all devices lost, the first one says so.
    if (std::ranges::all_of(parts_, [](const Part& part) { return part.id == 0; })) this->open(0);
}

SpreadTask::~SpreadTask() {
    for (std::size_t replica = 0; replica < parts_.size() && !alone(); ++replica)
        for (const std::size_t number : parts_[replica].numbers)
            if (const auto at = inputs_.find(number); at != inputs_.end())
                replicas_->end(replica, at->second.input.source.size(), false);
}

void SpreadTask::open(std::size_t replica) {
    OnDevice on = open_(replicas_->at(replica));
    Part& part = parts_[replica];
    part.slots = on.options.limits.slots;
    part.id = scheduler(replica).open(*on.network, std::move(on.options), mailbox_);
    if (cancelled_) scheduler(replica).cancel(part.id);
}

void SpreadTask::add(std::vector<SearchInput> inputs, decode::Urgency urgency, bool last) {
    if (alone()) {
        if (parts_[0].id == 0) open(0);
        return scheduler(0).add(parts_[0].id, std::move(inputs), urgency, last);
    }
    for (SearchInput& input : inputs) {
        waiting_.emplace(input.source.size(), added_);
        inputs_.emplace(added_++, Input{std::move(input), urgency});
    }
    feed();
    if (last) close();
}

void SpreadTask::close() {
    if (alone()) return scheduler(0).close(parts_[0].id);
    closed_ = true;
    close_parts_if_done();
}

void SpreadTask::cancel() noexcept {
    cancelled_ = true;
    for (std::size_t replica = 0; replica < parts_.size(); ++replica)
        if (const TaskId id = parts_[replica].id) scheduler(replica).cancel(id);
}

bool SpreadTask::owns(const Event& event) const {
    return event.task != 0 && std::ranges::any_of(parts_, [&](const Part& part) { return part.id == event.task; });
}

// The device that will be free first, of those that have room. What a device has beyond its slots waits on it for free
// ones; more would only bind inputs to a device early. With all devices lost, one that the task was opened on says so.
std::optional<std::size_t> SpreadTask::next_free(std::size_t tokens) const {
    std::optional<std::size_t> best;
    double best_seconds = 0.0;
    const bool lost_too = !any_left();
    for (std::size_t replica = 0; replica < parts_.size(); ++replica) {
        const Part& part = parts_[replica];
        if (part.ended || (part.id ? part.at_work >= 2 * part.slots : lost_too)) continue;
        if (!lost_too && replicas_->lost(replica)) continue;
        const double seconds = replicas_->done_after(replica, tokens);
        if (!best || seconds < best_seconds) std::tie(best, best_seconds) = std::pair(replica, seconds);
    }
    return best;
}

void SpreadTask::feed() {
    std::vector<std::vector<SearchInput>> lists(parts_.size());
    std::vector<decode::Urgency> urgencies(parts_.size(), decode::Urgency::express);
    while (!waiting_.empty()) {
        const auto [tokens, number] = *waiting_.begin();
        const auto replica = next_free(tokens);
        if (!replica) break;
        waiting_.erase(waiting_.begin());
        Part& part = parts_[*replica];
        if (part.id == 0) open(*replica);
        const Input& input = inputs_.at(number);
        part.numbers.push_back(number);
        ++part.at_work;
        replicas_->begin(*replica, tokens);
        urgencies[*replica] = std::min(urgencies[*replica], input.urgency);
        lists[*replica].push_back(input.input);
    }
    for (std::size_t replica = 0; replica < parts_.size(); ++replica)
        if (!lists[replica].empty())
            scheduler(replica).add(parts_[replica].id, std::move(lists[replica]), urgencies[replica]);
}

// A device's task stays open while its inputs may have to go to another.
void SpreadTask::close_parts_if_done() {
    if (!closed_ || !inputs_.empty() || std::exchange(parts_closed_, true)) return;
    for (std::size_t replica = 0; replica < parts_.size(); ++replica)
        if (parts_[replica].id && !parts_[replica].ended) scheduler(replica).close(parts_[replica].id);
}

void SpreadTask::leave(std::size_t replica, std::size_t number, bool done) {
    replicas_->end(replica, inputs_.at(number).input.source.size(), done);
    --parts_[replica].at_work;
}

std::optional<Event> SpreadTask::take(Event event) {
    if (alone()) return event;
    const auto part = std::ranges::find_if(parts_, [&](const Part& one) { return one.id == event.task; });
    const auto replica = std::size_t(part - parts_.begin());
    switch (event.kind) {
        case Event::Kind::finished:
            event.input = part->numbers[event.input];
            leave(replica, event.input, true);
            inputs_.erase(event.input);
            feed();
            close_parts_if_done();
            return event;
        case Event::Kind::partial: event.input = part->numbers[event.input]; return event;
        case Event::Kind::ended: return take_end(replica, std::move(event));
        default: return event;
    }
}

std::optional<Event> SpreadTask::take_end(std::size_t replica, Event event) {
    parts_[replica].ended = true;
    if (event.failure) {
        if (event.failure.status != Status::device_lost || cancelled_) return event;
        replicas_->lose(replica, event.failure.message);
        take_back(replica);
        const bool done = closed_ && inputs_.empty();
        if (!done && !any_left()) return event;
        event.failure = {};
        feed();
    }
    const bool all = std::ranges::all_of(parts_, [](const Part& one) { return one.id == 0 || one.ended; });
    return all && parts_closed_ ? std::optional(std::move(event)) : std::nullopt;
}

bool SpreadTask::any_left() const {
    for (std::size_t replica = 0; replica < parts_.size(); ++replica)
        if (!parts_[replica].ended && !replicas_->lost(replica)) return true;
    return false;
}

void SpreadTask::take_back(std::size_t replica) {
    for (const std::size_t number : std::exchange(parts_[replica].numbers, {})) {
        const auto at = inputs_.find(number);
        if (at == inputs_.end()) continue;  // finished
        leave(replica, number, false);
        waiting_.emplace(at->second.input.source.size(), number);
    }
}

}  // namespace dragoman::engine
