// SPDX-License-Identifier: Apache-2.0
#include "serve/guard/limits.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace serve::guard {
namespace {

constexpr std::size_t kMostGuesses = 20;
constexpr std::size_t kMostGuessers = 10'000;
constexpr auto kGuessesCount = std::chrono::minutes(10);
constexpr auto kBlocked = std::chrono::minutes(10);

// Up, so that who waits as long does not come too early.
std::chrono::seconds whole_seconds(LimitClock::duration time) {
    return std::max(std::chrono::seconds(1), std::chrono::ceil<std::chrono::seconds>(time));
}

}  // namespace

Limits::Asker& Limits::find(const std::string& who, std::size_t windows) {
    const auto found = askers_.find(who);
    if (found != askers_.end()) {
        order_.splice(order_.begin(), order_, found->second.place);
        found->second.counts.resize(windows);
        return found->second;
    }
    if (askers_.size() >= most_) {
        askers_.erase(order_.back());
        order_.pop_back();
    }
    order_.push_front(who);
    return askers_.emplace(who, Asker{order_.begin(), std::vector<Count>(windows)}).first->second;
}

// Makes `part` the newest one, and counts the requests of it and of those before that a window may reach into.
std::uint64_t Limits::move(Count& count, std::int64_t part) {
    const std::int64_t places = static_cast<std::int64_t>(count.requests.size());
    if (part - count.part >= places) count.requests.fill(0);
    else
        for (std::int64_t each = count.part + 1; each <= part; ++each)
            count.requests[static_cast<std::size_t>(each % places)] = 0;
    count.part = std::max(count.part, part);
    return std::accumulate(count.requests.begin(), count.requests.end(), std::uint64_t(0));
}

// The oldest parts go one after the other until there is room.
Exceeded Limits::exceeded(const Count& count, const Window& window, std::uint64_t counted, LimitClock::time_point now) {
    if (window.most <= 0) return {window, window.length};
    const std::int64_t places = static_cast<std::int64_t>(count.requests.size());
    std::int64_t part = count.part - places + 1;
    for (; part < count.part; ++part) {
        counted -= count.requests[static_cast<std::size_t>((part % places + places) % places)];
        if (counted < static_cast<std::uint64_t>(window.most)) break;
    }
    const LimitClock::time_point free = LimitClock::time_point(length_of(window) * (part + places));
    return {window, whole_seconds(free - now)};
}

std::optional<Exceeded> Limits::take(const std::string& who, const std::vector<Window>& windows,
                                     LimitClock::time_point now) {
    const std::lock_guard lock(mutex_);
    Asker& asker = find(who, windows.size());
    std::optional<Exceeded> longest;
    for (std::size_t i = 0; i < windows.size(); ++i) {
        if (windows[i].most < 0) continue;
        const std::uint64_t counted = move(asker.counts[i], now.time_since_epoch() / length_of(windows[i]));
        if (counted < static_cast<std::uint64_t>(windows[i].most)) continue;
        const Exceeded here = exceeded(asker.counts[i], windows[i], counted, now);
        if (!longest || here.wait > longest->wait) longest = here;
    }
    if (longest) return longest;
    for (std::size_t i = 0; i < windows.size(); ++i) {
        Count& count = asker.counts[i];
        if (windows[i].most >= 0) ++count.requests[static_cast<std::size_t>(count.part) % count.requests.size()];
    }
    return {};
}

std::size_t Limits::askers() const {
    const std::lock_guard lock(mutex_);
    return askers_.size();
}

std::optional<std::chrono::seconds> Guesses::blocked(const std::string& who, LimitClock::time_point now) const {
    const std::lock_guard lock(mutex_);
    const auto found = guessers_.find(who);
    if (found == guessers_.end() || now >= found->second.blocked_until) return {};
    return whole_seconds(found->second.blocked_until - now);
}

void Guesses::wrong(const std::string& who, const std::string& key, LimitClock::time_point now) {
    const std::lock_guard lock(mutex_);
    const auto found = guessers_.find(who);
    if (found != guessers_.end()) {
        order_.splice(order_.begin(), order_, found->second.place);
    } else {
        if (guessers_.size() >= kMostGuessers) {  // the one that has been quiet for longest
            guessers_.erase(order_.back());
            order_.pop_back();
        }
        order_.push_front(who);
        guessers_[who].place = order_.begin();
    }
    Guesser& guesser = guessers_[who];
    std::erase_if(guesser.keys, [&](const auto& each) { return now - each.second > kGuessesCount; });
    const std::size_t hash = std::hash<std::string>()(key);
    if (std::ranges::any_of(guesser.keys, [&](const auto& each) { return each.first == hash; })) return;
    guesser.keys.emplace_back(hash, now);
    if (guesser.keys.size() < kMostGuesses) return;
    guesser.keys.clear();
    guesser.blocked_until = now + kBlocked;
}

}  // namespace serve::guard
