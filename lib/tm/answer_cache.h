// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace dragoman::tm {

using Answer = std::shared_ptr<const std::string>;

// Answers by questions, which are compared as a whole. The least recently used ones are evicted first. Safe from any
// thread.
class AnswerCache {
public:
    // most_bytes: size of questions, answers and the index.
    explicit AnswerCache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

    Answer find(std::string_view question);  // null: none
    void put(std::string question, Answer answer);
    void clear();

    struct Counts {
        uint64_t entries = 0, bytes = 0, evicted = 0;
    };
    Counts counts() const;

    // per entry, besides question and answer: nodes of the list and of the table
    static constexpr std::size_t kEntryBytes = 160;

private:
    struct Entry {
        std::string question;
        Answer answer;
        std::size_t bytes() const { return kEntryBytes + question.size() + answer->size(); }
    };
    using Entries = std::list<Entry>;
    void drop(Entries::iterator entry);

    const std::size_t most_bytes_;
    mutable std::mutex mutex_;
    Entries entries_;  // the latest first
    std::unordered_map<std::string_view, Entries::iterator> places_;
    std::size_t bytes_ = 0;
    uint64_t evicted_ = 0;
};

}  // namespace dragoman::tm
