// SPDX-License-Identifier: Apache-2.0
// Which search of a scheduler runs next, and which gives up its memory for another.
#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "base/log.h"
#include "engine/scheduler.h"
#include "nn/seq2seq.h"

namespace dragoman::engine {
namespace {

// Lanes of a network that are kept although they are idle, with their buffers and recorded steps, for the next task of
// their rules: translating, scoring and both parts of alternatives. They are the first to go when room is needed.
constexpr std::size_t kKeptLanes = 4;

constexpr double kRestSeconds = 0.5;  // other lanes rest this long for one with express sentences,
constexpr double kOthersShare = 3.0;  // then get a second for each three, as bulk work within a lane does

}  // namespace

Scheduler::Lane& Scheduler::lane_for(const Task& task) {
    const auto found = std::ranges::find_if(lanes_, [&](const auto& lane) {
        return lane->network == task.network && lane->stream->limits() == task.options.limits &&
               lane->stream->rules() == task.options.rules;
    });
    if (found != lanes_.end()) return **found;
    drop_idle(nullptr, task.network, kKeptLanes - 1);
    auto lane = std::make_unique<Lane>();
    lane->network = task.network;
    lane->stream = std::make_unique<decode::Stream>(context_, *task.network, task.options.rules, task.options.limits,
                                                    working_stats_[task.network]);
    lane->stream->set_make_room([this, asking = lane.get()](uint32_t slots) { return make_room(*asking, slots); });
    return *lanes_.emplace_back(std::move(lane));
}

void Scheduler::join(Task& task, Lane& lane) {
    if (lane.tasks == 0) {  // an idle lane gets no credit for what others got meanwhile
        std::optional<double> least;
        for (const auto& other : lanes_)
            if (other->tasks > 0) least = std::min(least.value_or(other->virtual_tokens), other->virtual_tokens);
        lane.virtual_tokens = std::max(lane.virtual_tokens, least.value_or(0.0));
    }
    ++lane.tasks;
    task.lane = &lane;
}

void Scheduler::leave(Task& task) {
    if (!task.lane) return;
    --task.lane->tasks;
    task.lane = nullptr;
}

// Takes the most urgent sentences first; among equals, a lane with express sentences, then the lane that has had least.
Scheduler::Lane* Scheduler::next_lane() {
    if (only_ && !only_->stream->idle()) return only_;
    only_ = nullptr;
    Lane* next = nullptr;
    const bool may_pass = rested_seconds_ < kRestSeconds;
    const auto key = [&](const Lane& lane) {
        const bool passes = may_pass && lane.stream->has_express();
        return std::tuple(-int64_t(lane.stream->highest_priority()), !passes, lane.virtual_tokens, lane.used);
    };
    for (const auto& lane : lanes_)
        if (!lane->stream->idle() && (!next || key(*lane) < key(*next))) next = lane.get();
    return next;
}

// A lane without express sentences works off what the others have rested.
void Scheduler::note_turn(bool express, double seconds) {
    const bool others = std::ranges::any_of(lanes_, [](const auto& lane) {
        return !lane->stream->idle() && !lane->stream->has_express();
    });
    if (!express) rested_seconds_ = std::max(rested_seconds_ - kOthersShare * seconds, 0.0);
    else if (others) rested_seconds_ += seconds;
}

// Idle lanes go first. Then the largest of the least urgent lanes with at least as many slots gives up half. The lane
// that got room runs alone until it has finished something: sentences begin again only for a result, so lanes that do
// not fit together take turns and none waits for ever.
bool Scheduler::make_room(Lane& asking, uint32_t slots) {
    if (drop_idle(&asking, nullptr, 0)) return true;
    Lane* giving = nullptr;
    const auto key = [](const Lane& lane) {
        return std::pair(lane.stream->highest_priority(), -double(lane.stream->buffer_bytes()));
    };
    for (const auto& lane : lanes_)
        if (lane.get() != &asking && lane->tasks > 0 && !lane->broken && lane->stream->slots() >= slots &&
            (!giving || key(*lane) < key(*giving)))
            giving = lane.get();
    if (!giving) return false;
    log(LogLevel::debug, "{} sentences at a time give up half of their room for {} of another search",
        giving->stream->slots(), slots);
    try {
        giving->stream->give_up_half();
    } catch (...) {  // it may be in any state, and ends after this turn
        giving->broken = Failure::current();
        return false;
    }
    only_ = &asking;
    return true;
}

// Drops idle lanes of a network, or of all, except those used last. False: there were none.
bool Scheduler::drop_idle(const Lane* except, const nn::Seq2Seq* network, std::size_t keep) noexcept {
    const auto idle = [&](const std::unique_ptr<Lane>& lane) {
        return lane->tasks == 0 && lane.get() != except && (!network || lane->network == network);
    };
    const auto count = std::size_t(std::ranges::count_if(lanes_, idle));
    for (std::size_t left = count; left > keep; --left) {
        auto oldest = lanes_.end();
        for (auto at = lanes_.begin(); at != lanes_.end(); ++at)
            if (idle(*at) && (oldest == lanes_.end() || (*at)->used < (*oldest)->used)) oldest = at;
        if (oldest->get() == only_) only_ = nullptr;
        lanes_.erase(oldest);
    }
    if (count <= keep) return false;
    for (const auto& lane : lanes_) lane->stream->regain_slots();
    return true;
}

}  // namespace dragoman::engine
