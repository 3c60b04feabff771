// SPDX-License-Identifier: Apache-2.0
#include "serve/guard/key_uses.h"

#include <chrono>

#include "serve/guard/clock.h"

namespace serve::guard {

KeyUses::Use& KeyUses::this_months(const std::string& id) {
    Use& use = uses_[id];
    const std::string month = month_of(std::chrono::system_clock::now());
    if (use.month == month) return use;
    if (!use.is_written()) last_month_[id] = use;
    use = {.month = month, .reserved = use.reserved};
    return use;
}

void KeyUses::add(const std::string& id, std::uint64_t characters) {
    const std::lock_guard lock(mutex_);
    Use& use = this_months(id);
    ++use.requests;
    use.characters += static_cast<std::int64_t>(characters);
}

// Where the month has ended meanwhile there is less to give back.
void KeyUses::give_back(const std::string& id, std::uint64_t characters) {
    const std::lock_guard lock(mutex_);
    Use& use = this_months(id);
    use.characters -= std::min(static_cast<std::int64_t>(characters), use.total());
}

void KeyUses::reserve(const std::string& id, std::uint64_t characters) {
    const std::lock_guard lock(mutex_);
    this_months(id).reserved += static_cast<std::int64_t>(characters);
}

void KeyUses::release(const std::string& id, std::uint64_t characters) {
    const std::lock_guard lock(mutex_);
    this_months(id).reserved -= static_cast<std::int64_t>(characters);
}

void KeyUses::add_written(const std::string& id, const std::string& month, std::uint64_t characters) {
    const std::lock_guard lock(mutex_);
    ++generation_;
    if (Use& use = this_months(id); use.month == month) use.written += static_cast<std::int64_t>(characters);
}

std::uint64_t KeyUses::characters(const std::string& id) {
    const std::lock_guard lock(mutex_);
    return static_cast<std::uint64_t>(this_months(id).total());
}

std::map<std::string, KeyUses::Counts> KeyUses::unwritten() const {
    const std::lock_guard lock(mutex_);
    std::map<std::string, Counts> by_month;
    for (const auto& [id, use] : uses_)
        if (!use.is_written()) by_month[use.month][id] = {use.requests, use.characters};
    for (const auto& [id, use] : last_month_) by_month[use.month][id] = {use.requests, use.characters};
    return by_month;
}

void KeyUses::written(const std::string& month, const Counts& counts) {
    const std::lock_guard lock(mutex_);
    ++generation_;
    for (const auto& [id, count] : counts) {
        Use& use = uses_[id];
        // The month may have ended between unwritten() and here.
        Use& place = use.month == month ? use : last_month_[id];
        place.written += count.second;
        place.requests -= count.first;
        place.characters -= count.second;
        if (&place != &use && place.is_written()) last_month_.erase(id);
    }
}

std::uint64_t KeyUses::generation() const {
    const std::lock_guard lock(mutex_);
    return generation_;
}

void KeyUses::complete(Key& key, std::uint64_t generation_before) {
    const std::lock_guard lock(mutex_);
    Use& use = this_months(key.id);
    if (generation_before == generation_) use.written = key.characters_used;
    key.characters_used = use.total();
}

}  // namespace serve::guard
