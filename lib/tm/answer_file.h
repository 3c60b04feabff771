// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/background.h"
#include "tm/answer_cache.h"
#include "tm/answer_table.h"

namespace dragoman::tm {

// Answers in an SQLite file, which any number of processes and threads may use at the same time. New answers wait in
// memory, and a thread of the file writes them in portions, and at the end. A file that is no memory, or of another
// version, or cannot be opened is io_error naming it. One that refuses later (a full disk, a lock, damage) fails no
// call but clear(): that is logged once until the file takes answers again, and counted.
class AnswerFile {
public:
    // most_bytes: approximate size of questions and answers; the least recently used ones are evicted first.
    AnswerFile(const std::string& path, uint64_t most_bytes);
    ~AnswerFile();
    AnswerFile(const AnswerFile&) = delete;

    // `context`: the common part of many questions.
    Answer find(const std::string& context, std::string_view question);  // null: none
    void put(const std::string& context, std::string_view question, Answer answer);
    // Waits a moment until answers that wait are in the file, but not where it refuses them. Returns whether they are.
    bool flush(std::chrono::milliseconds most = kFlushTime);
    void clear();  // throws io_error where that cannot be written

    struct Counts {
        uint64_t entries = 0, bytes = 0;  // with those that wait
        uint64_t waiting = 0, lost = 0;  // answers that are not in the file yet, or never will be
        uint64_t failures = 0;  // times that the file could not be read or written
    };
    Counts counts();

    static constexpr std::chrono::milliseconds kFlushTime{200};
    static constexpr uint64_t kRowBytes = AnswerTable::kRowBytes;

private:
    using Clock = std::chrono::steady_clock;
    struct Batch {
        AnswersByContext answers{};
        std::unordered_set<int64_t> used{};  // rows that were asked for since the last write
        std::size_t count = 0, bytes = 0;  // of the answers
        bool empty() const { return count == 0 && used.empty(); }
        bool add(const std::string& context, std::string_view question, Answer answer);
        Answer find(const std::string& context, std::string_view question) const;
    };
    void write_later();
    void write(const Background::Stop* stop);
    bool write_batch(const Background::Stop* stop);
    void take_back();
    void note(const std::exception& error);

    const uint64_t most_bytes_;
    AnswerTable table_;
    std::mutex writer_;  // held by who writes
    std::mutex mutex_;  // guards what follows
    std::condition_variable changed_;
    Batch waiting_, writing_;
    uint64_t added_ = 0, written_ = 0;  // answers
    uint64_t lost_ = 0, failures_ = 0;
    bool scheduled_ = false;
    bool told_ = false, told_lost_ = false;
    bool slow_ = false;  // the last flush was too long, or the file refused: no call waits
    Clock::time_point busy_since_{}, read_again_{}, write_again_{};
    Background background_;  // the last member: its thread uses the others
};

}  // namespace dragoman::tm
