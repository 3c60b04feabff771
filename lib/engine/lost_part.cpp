// SPDX-License-Identifier: Apache-2.0
// What becomes of a task on a device that is lost.
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "engine/spread_task.h"

namespace dragoman::engine {

// Where there is no memory for it, the end waits until the device is open again.
void SpreadTask::post_cancelled(TaskId id) const noexcept try {
    mailbox_->post({Event{
        .kind = Event::Kind::ended, .task = id, .failure = {Status::cancelled, "translation cancelled"}}});
} catch (const std::exception& error) {
    log(LogLevel::debug, "a task that waits for its device is not cancelled: {}", error.what());
}

void SpreadTask::wait(std::size_t replica, const std::shared_ptr<OpenDevice>& lost, const std::string& why) {
    const TaskId id = Scheduler::new_id();
    const std::shared_ptr<OpenDevice> from = lost;  // `lost` may be the part's own
    set(parts_[replica], id, nullptr);
    replicas_->renew(replica, from, why, [mailbox = mailbox_, id](const Failure& failure) {
        mailbox->post({Event{.kind = Event::Kind::reopened, .task = id, .failure = failure}});
    });
    if (cancelled_) post_cancelled(id);
}

// A task whose network was given up with its device ends as cancelled, though nobody cancelled it.
bool SpreadTask::is_loss(std::size_t replica, const Failure& failure) const {
    if (alone() && !replicas_->renewable()) return false;
    if (failure.status == Status::device_lost) return true;
    const std::shared_ptr<const Model> model = replicas_->at(replica).model;
    return failure.status == Status::cancelled && (!model || model->on() != parts_[replica].on);
}

std::optional<Event> SpreadTask::take_reopened(std::size_t replica, Event event) {
    Part& part = parts_[replica];
    if (parts_closed_ && !alone()) {
        part.ended = true;
        return end_if_over(std::move(event));
    }
    if (event.failure) {
        part.ended = true;
        event.kind = Event::Kind::ended;
        if (!any_left()) return event;
        feed();
        return std::nullopt;
    }
    set(part, 0, nullptr);
    open(replica);
    if (!alone()) feed();
    else if (part.on) give_all();
    return std::nullopt;
}

// The end of the whole task, once all parts of it have ended. What is not open again by then is not waited for.
std::optional<Event> SpreadTask::end_if_over(Event event) {
    const bool all = std::ranges::none_of(parts_, &Part::works);
    if (!all || !(alone() || parts_closed_)) return std::nullopt;
    over_ = true;
    event.kind = Event::Kind::ended;
    event.failure = {};
    return event;
}

bool SpreadTask::any_left() const {
    return std::ranges::any_of(parts_, [](const Part& part) { return part.works() || part.waits() || part.id == 0; });
}

void SpreadTask::take_back(std::size_t replica) {
    for (const std::size_t number : std::exchange(parts_[replica].numbers, {})) {
        const auto at = inputs_.find(number);
        if (alone() || at == inputs_.end()) continue;  // or it is finished
        leave(replica, number, false);
        waiting_.emplace(at->second.input.source.size(), number);
    }
}

}  // namespace dragoman::engine
