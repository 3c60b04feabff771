// SPDX-License-Identifier: Apache-2.0
#include "engine/replicas.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "nn/seq2seq.h"

namespace dragoman::engine {
namespace {

constexpr double kLeastSeconds = 0.1;  // a rate over less says little
constexpr double kMostSeconds = 20.0;  // what lies further back counts less and less

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::vector<Replicas::Member> without_embedders(std::vector<std::shared_ptr<const Model>> models) {
    std::vector<Replicas::Member> members;
    for (auto& model : models) members.push_back({std::move(model)});
    return members;
}

}  // namespace

Replicas::Replicas(std::vector<std::shared_ptr<const Model>> models) : Replicas(without_embedders(std::move(models))) {}

Replicas::Replicas(std::vector<Member> members, Load load_again)
    : load_again_(std::move(load_again)), slots_(members.size()) {
    DRAGOMAN_ASSERT(!members.empty());
    info_ = members.front().model->info();
    types_ = members.front().model->types();
    for (std::size_t i = 0; i < members.size(); ++i) {
        devices_.push_back(members[i].model->shared_device());
        slots_[i].member = std::move(members[i]);
    }
}

// What is being loaded again ends first, since it comes here.
Replicas::~Replicas() {
    for (const auto& device : devices_) device->repairs().forget(this);
}

Replicas::Member Replicas::at(std::size_t replica) const {
    const std::lock_guard lock(mutex_);
    return slots_[replica].member;
}

std::string Replicas::device_names() const {
    std::vector<std::string> names;
    for (const auto& device : devices_) {
        const auto open = device->current();
        if (const std::string& name = open->context().caps().name; std::ranges::find(names, name) == names.end())
            names.push_back(name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

decode::SearchStats Replicas::stats() const {
    decode::SearchStats sum;
    for (std::size_t replica = 0; replica < count(); ++replica) {
        std::shared_ptr<const Model> model;
        {
            const std::lock_guard lock(mutex_);
            sum += slots_[replica].before;
            model = slots_[replica].member.model;
        }
        if (model) sum += model->stats();
    }
    return sum;
}

bool Replicas::lost(std::size_t replica) const {
    const std::lock_guard lock(mutex_);
    return is_lost(slots_[replica]);
}

std::size_t Replicas::next_in_turn() const {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        const std::size_t replica = turn_++ % slots_.size();
        if (!is_lost(slots_[replica])) return replica;
    }
    return turn_++ % slots_.size();
}

void Replicas::pass_time(Slot& slot) {
    const double then = std::exchange(slot.since, now());
    if (slot.tokens > 0) slot.busy_seconds += slot.since - then;
    if (slot.busy_seconds <= kMostSeconds) return;
    slot.busy_seconds /= 2;
    slot.tokens_done /= 2;
}

void Replicas::begin(std::size_t replica, std::size_t tokens) const {
    const std::lock_guard lock(mutex_);
    pass_time(slots_[replica]);
    slots_[replica].tokens += tokens;
}

void Replicas::end(std::size_t replica, std::size_t tokens, bool done) const {
    const std::lock_guard lock(mutex_);
    pass_time(slots_[replica]);
    slots_[replica].tokens -= tokens;
    if (done) slots_[replica].tokens_done += double(tokens);
}

double Replicas::rate(const Slot& slot) {
    return slot.busy_seconds < kLeastSeconds ? 0.0 : slot.tokens_done / slot.busy_seconds;
}

double Replicas::done_after(std::size_t replica, std::size_t tokens) const {
    const std::lock_guard lock(mutex_);
    double own = rate(slots_[replica]);
    if (own == 0.0) {
        double sum = 0.0;
        int shown = 0;
        for (const Slot& slot : slots_)
            if (rate(slot) > 0.0) sum += rate(slot), ++shown;
        own = shown > 0 ? sum / shown : 1.0;
    }
    return double(slots_[replica].tokens + tokens) / own;
}

}  // namespace dragoman::engine
