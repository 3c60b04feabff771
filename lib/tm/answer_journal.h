// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "files/record_log.h"
#include "tm/answer_cache.h"

namespace dragoman::tm {

// Answers in a file that only grows: each is in it as soon as it is there, whatever ends the program. All of them are
// in memory, too. Safe from any thread.
class AnswerJournal {
public:
    // Goes on with the file, or begins one. Throws io_error as RecordLog does, and invalid_argument where the file's
    // answers were made with another key, saying what differs.
    // most_bytes: a file that is larger begins anew, for what comes then; 0: it never does.
    AnswerJournal(const std::filesystem::path& path, const std::string& key, uint64_t most_bytes = 0);

    Answer find(const std::string& context, const std::string& question) const;  // null: none
    void put(const std::string& context, const std::string& question, Answer answer);
    void clear();  // the file, too, but for its key

private:
    enum class Kind : char { key = 'k', context = 'c', answer = 'a' };
    void read(std::string_view record);
    void check_key();
    void begin_anew();

    const std::string name_, key_;
    const uint64_t most_bytes_;
    std::string old_key_;
    mutable std::mutex mutex_;  // guards these
    std::unordered_map<std::string, uint32_t> contexts_;
    std::unordered_map<std::string, Answer> answers_;  // by the context's number and the question
    RecordLog log_;  // the last member: reads into the others
};

}  // namespace dragoman::tm
