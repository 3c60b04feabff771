// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "tm/answer_cache.h"
#include "tm/sqlite.h"

namespace dragoman::tm {

// Answers in an SQLite file, which any number of processes and threads may use at the same time. New answers are
// written in portions, and at the end. Throws io_error naming the file where it is no memory or of another version, or
// cannot be read or written.
class AnswerFile {
public:
    // most_bytes: approximate size of questions and answers; the least recently used ones are evicted first.
    AnswerFile(const std::string& path, uint64_t most_bytes);
    ~AnswerFile();  // an error is logged
    AnswerFile(const AnswerFile&) = delete;

    // `context`: the common part of many questions.
    Answer find(const std::string& context, std::string_view question);  // null: none
    void put(const std::string& context, std::string_view question, Answer answer);
    void flush();  // writes waiting answers, if others do not write all the time
    void clear();

    struct Counts {
        uint64_t entries = 0, bytes = 0;
    };
    Counts counts();

    static constexpr int kApplication = 0x44724d31;  // "DrM1"
    static constexpr int kVersion = 1;
    static constexpr uint64_t kRowBytes = 64;        // per row, besides question and answer

private:
    void open();
    int64_t context_id(const std::string& context, bool make);
    void try_to_write();
    void write();
    void evict();

    const uint64_t most_bytes_;
    std::mutex mutex_;
    Database database_;
    Statement find_, insert_, touch_, find_context_, add_context_, oldest_, remove_, add_bytes_;
    std::unordered_map<std::string, int64_t> contexts_;
    std::map<std::string, std::unordered_map<std::string, Answer>> waiting_;  // not in the file yet, by context
    std::size_t waiting_count_ = 0, waiting_bytes_ = 0;
    std::unordered_set<int64_t> used_;  // rows that were asked for since the last write
};

}  // namespace dragoman::tm
