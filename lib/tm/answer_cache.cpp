// SPDX-License-Identifier: Apache-2.0
#include "tm/answer_cache.h"

#include <iterator>
#include <utility>

namespace dragoman::tm {

Answer AnswerCache::find(std::string_view question) {
    const std::lock_guard lock(mutex_);
    const auto place = places_.find(question);
    if (place == places_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, place->second);
    return entries_.front().answer;
}

void AnswerCache::put(std::string question, Answer answer) {
    Entry entry{std::move(question), std::move(answer)};
    if (entry.bytes() > most_bytes_) return;
    const std::lock_guard lock(mutex_);
    if (const auto old = places_.find(entry.question); old != places_.end()) drop(old->second);
    bytes_ += entry.bytes();
    entries_.push_front(std::move(entry));
    places_.emplace(entries_.front().question, entries_.begin());
    for (; bytes_ > most_bytes_; ++evicted_) drop(std::prev(entries_.end()));
}

void AnswerCache::drop(Entries::iterator entry) {
    bytes_ -= entry->bytes();
    places_.erase(entry->question);
    entries_.erase(entry);
}

void AnswerCache::clear() {
    const std::lock_guard lock(mutex_);
    places_.clear();
    entries_.clear();
    bytes_ = 0;
}

AnswerCache::Counts AnswerCache::counts() const {
    const std::lock_guard lock(mutex_);
    return {entries_.size(), bytes_, evicted_};
}

}  // namespace dragoman::tm
