// SPDX-License-Identifier: Apache-2.0
// Networks of lost devices are loaded again.
#include <algorithm>
#include <future>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "engine/replicas.h"

namespace dragoman::engine {

void Replicas::log_loss(std::size_t replica, const std::string& why) const {
    std::size_t left = 0;
    {
        const std::lock_guard lock(mutex_);
        left = std::size_t(std::ranges::count(slots_, false, &Replicas::is_lost));
    }
    const auto open = devices_[replica]->current();
    log(LogLevel::warning, "device {} is lost, {} of {} are left: {}", open->context().caps().name, left, count(), why);
}

void Replicas::lose(std::size_t replica, const std::string& why) const {
    {
        const std::lock_guard lock(mutex_);
        if (std::exchange(slots_[replica].lost, true)) return;
    }
    log_loss(replica, why);
}

void Replicas::renew(std::size_t replica, const std::shared_ptr<OpenDevice>& lost, const std::string& why,
                     Renewed call) const {
    if (!load_again_) {
        lose(replica, why);
        return call({Status::device_lost, why.empty() ? "the device was lost before" : why});
    }
    Background& repairs = devices_[replica]->repairs();
    bool begins = false, there = false;
    {
        const std::lock_guard lock(mutex_);
        Slot& slot = slots_[replica];
        there = !slot.renewing && slot.member.model && slot.member.model->on() != lost;
        if (!there) {
            slot.waiting.push_back(std::move(call));
            begins = !std::exchange(slot.renewing, true);
        }
    }
    if (there) return call({});
    if (!begins) return;
    bool added = false;
    try {
        added = repairs.add(this, [this, replica, lost = std::weak_ptr(lost), why](const Background::Stop& stop) {
            answer(replica, try_to_load(replica, lost.lock(), why, stop));
        });
    } catch (const std::exception& error) {
        log(LogLevel::debug, "a model is not loaded again: {}", error.what());
    }
    if (added) return;
    const bool ends = !repairs.started();
    answer(replica, Failure::make(ends ? Status::cancelled : Status::out_of_memory,
                                  ends ? "the program ends" : "no memory to load the model again on its device"));
}

void Replicas::answer(std::size_t replica, const Failure& failure) const {
    std::vector<Renewed> waiting;
    {
        const std::lock_guard lock(mutex_);
        slots_[replica].renewing = false;
        waiting.swap(slots_[replica].waiting);
    }
    for (const Renewed& one : waiting) one(failure);
}

Failure Replicas::try_to_load(std::size_t replica, const std::shared_ptr<OpenDevice>& lost, const std::string& why,
                              const Background::Stop& stop) const {
    try {
        // Memory of the lost device goes first: the new one may need it.
        Member old;
        {
            const std::lock_guard lock(mutex_);
            old = std::exchange(slots_[replica].member, {});
        }
        if (old.model) {
            const decode::SearchStats done = old.model->stats();
            const std::lock_guard lock(mutex_);
            slots_[replica].before += done;
        }
        const bool first = bool(old.model);
        old = {};
        if (first) log_loss(replica, why);
        const std::shared_ptr<Device>& device = devices_[replica];
        const auto open = lost ? device->reopen(lost, why) : device->opened();
        if (stop) fail(Status::cancelled, "the model was closed");
        Member fresh;
        try {
            fresh = load_again_(replica, device, open);
        } catch (const Error& error) {
            fail(Status::device_lost, "{}; the model was not loaded again: {}",
                 why.empty() ? "the device was lost" : why, error.what());
        }
        const std::lock_guard lock(mutex_);
        slots_[replica].member = std::move(fresh);
        return {};
    } catch (...) {
        return Failure::current();
    }
}

Replicas::Member Replicas::ready(std::size_t replica, const std::shared_ptr<OpenDevice>& lost,
                                 const std::string& why) const {
    Member member = at(replica);
    if (member.model && member.model->on() != lost) return member;
    const auto done = std::make_shared<std::promise<Failure>>();
    renew(replica, lost, why, [done](const Failure& failure) { done->set_value(failure); });
    if (const Failure failure = done->get_future().get()) std::rethrow_exception(failure.exception());
    member = at(replica);
    if (!member.model) fail(Status::device_lost, "the device was lost again");
    return member;
}

}  // namespace dragoman::engine
