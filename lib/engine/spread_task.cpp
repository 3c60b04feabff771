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
    for (std::size_t replica = 0; replica < parts_.size(); ++replica) this->open(replica);
}

SpreadTask::~SpreadTask() {
    for (std::size_t replica = 0; replica < parts_.size() && !alone(); ++replica)
        for (const std::size_t number : parts_[replica].numbers)
            if (const auto at = inputs_.find(number); at != inputs_.end())
                replicas_->end(replica, at->second.input.source.size(), false);
}

void SpreadTask::set(Part& part, TaskId id, std::shared_ptr<OpenDevice> on) {
    const std::lock_guard lock(mutex_);
    part.id = id;
    part.on.swap(on);
}

// With a lost device it waits until that is open again.
void SpreadTask::open(std::size_t replica) {
    const std::shared_ptr<const Model> model = replicas_->at(replica).model;
    if (replicas_->lost(replica) || !model) return wait(replica, nullptr, "");
    OnDevice on = open_(*model);
    Part& part = parts_[replica];
    part.slots = on.options.limits.slots;
    Scheduler& scheduler = model->on()->scheduler();
    set(part, scheduler.open(*on.network, std::move(on.options), mailbox_), model->on());
    if (cancelled_) scheduler.cancel(part.id);
}

void SpreadTask::add(std::vector<SearchInput> inputs, decode::Urgency urgency, bool last) {
    if (alone()) return add_alone(std::move(inputs), urgency, last);
    for (SearchInput& input : inputs) {
        waiting_.emplace(input.source.size(), added_);
        inputs_.emplace(added_++, Input{std::move(input), urgency});
    }
    feed();
    if (last) close();
}

void SpreadTask::add_alone(std::vector<SearchInput> inputs, decode::Urgency urgency, bool last) {
    Part& part = parts_[0];
    if (part.id == 0) open(0);
    closed_ |= last;
    for (const SearchInput& input : inputs) inputs_.emplace_hint(inputs_.end(), added_++, Input{input, urgency});
    if (part.on) part.on->scheduler().add(part.id, std::move(inputs), urgency, last);
}

// All unfinished inputs to the only device, after it was opened again.
void SpreadTask::give_all() {
    Part& part = parts_[0];
    std::vector<SearchInput> inputs;
    decode::Urgency urgency = decode::Urgency::express;
    for (const auto& [number, input] : inputs_) {
        part.numbers.push_back(number);
        urgency = std::min(urgency, input.urgency);
        inputs.push_back(input.input);
    }
    part.from = added_;
    part.on->scheduler().add(part.id, std::move(inputs), urgency, closed_);
}

std::size_t SpreadTask::number_of(const Part& part, std::size_t input) const {
    return input < part.numbers.size() ? part.numbers[input] : part.from + (input - part.numbers.size());
}

void SpreadTask::close() {
    closed_ = true;
    if (!alone()) return close_parts_if_done();
    if (parts_[0].on) parts_[0].on->scheduler().close(parts_[0].id);
}

void SpreadTask::cancel() noexcept {
    cancelled_ = true;
    const std::lock_guard lock(mutex_);
    for (const Part& part : parts_) {
        if (part.on) part.on->scheduler().cancel(part.id);
        else if (part.id) post_cancelled(part.id);
    }
}

bool SpreadTask::owns(const Event& event) const {
    return event.task != 0 && std::ranges::any_of(parts_, [&](const Part& part) { return part.id == event.task; });
}

// The device that will be free first, of those that have room. What a device has beyond its slots waits on it for free
// ones; more would only bind inputs to a device early.
std::optional<std::size_t> SpreadTask::next_free(std::size_t tokens) const {
    std::optional<std::size_t> best;
    double best_seconds = 0.0;
    for (std::size_t replica = 0; replica < parts_.size(); ++replica) {
        const Part& part = parts_[replica];
        if (part.id ? !part.works() || part.at_work >= 2 * part.slots : part.ended) continue;
        if (replicas_->lost(replica)) continue;
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
        Part& part = parts_[*replica];
        if (part.id == 0) open(*replica);
        if (!part.on) continue;  // it was lost just now
        waiting_.erase(waiting_.begin());
        const Input& input = inputs_.at(number);
        part.numbers.push_back(number);
        ++part.at_work;
        replicas_->begin(*replica, tokens);
        urgencies[*replica] = std::min(urgencies[*replica], input.urgency);
        lists[*replica].push_back(input.input);
    }
    for (std::size_t replica = 0; replica < parts_.size(); ++replica)
        if (!lists[replica].empty())
            parts_[replica].on->scheduler().add(parts_[replica].id, std::move(lists[replica]), urgencies[replica]);
    if (waiting_.empty() || std::ranges::any_of(parts_, [](const Part& one) { return one.works() || one.waits(); }))
        return;
    for (std::size_t replica = 0; replica < parts_.size(); ++replica)
        if (parts_[replica].id == 0 && !parts_[replica].ended) open(replica);
}

// A device's task stays open while its inputs may have to go to another.
void SpreadTask::close_parts_if_done() {
    if (!closed_ || !inputs_.empty() || std::exchange(parts_closed_, true)) return;
    for (const Part& part : parts_)
        if (part.works()) part.on->scheduler().close(part.id);
}

void SpreadTask::leave(std::size_t replica, std::size_t number, bool done) {
    if (alone()) return;
    replicas_->end(replica, inputs_.at(number).input.source.size(), done);
    --parts_[replica].at_work;
}

std::optional<Event> SpreadTask::take(Event event) {
    if (over_) return std::nullopt;
    const auto part = std::ranges::find_if(parts_, [&](const Part& one) { return one.id == event.task; });
    const auto replica = std::size_t(part - parts_.begin());
    switch (event.kind) {
        case Event::Kind::finished:
            event.input = number_of(*part, event.input);
            leave(replica, event.input, true);
            inputs_.erase(event.input);
            if (alone()) return event;
            feed();
            close_parts_if_done();
            return event;
        case Event::Kind::partial: event.input = number_of(*part, event.input); return event;
        case Event::Kind::ended: return take_end(replica, std::move(event));
        case Event::Kind::reopened: return take_reopened(replica, std::move(event));
        default: return event;
    }
}

std::optional<Event> SpreadTask::take_end(std::size_t replica, Event event) {
    Part& part = parts_[replica];
    if (!event.failure) {
        part.ended = true;
        return end_if_over(std::move(event));
    }
    if (cancelled_ || !is_loss(replica, event.failure)) return event;
    take_back(replica);
    if (closed_ && inputs_.empty()) {
        part.ended = parts_closed_ = true;
        event.failure = {};
        return end_if_over(std::move(event));
    }
    wait(replica, part.on, event.failure.message);
    if (!alone()) feed();
    return std::nullopt;
}

}  // namespace dragoman::engine
