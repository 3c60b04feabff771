// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "tm/answer_cache.h"
#include "tm/sqlite.h"

namespace dragoman::tm {

using AnswersByQuestion = std::unordered_map<std::string, Answer>;
using AnswersByContext = std::map<std::string, AnswersByQuestion>;

// The tables of a file of answers, which any number of processes and threads may use at the same time. Readers do not
// wait for writers. Every call throws io_error naming the file.
class AnswerTable {
public:
    AnswerTable(const std::string& path, uint64_t most_bytes);

    const std::string& path() const { return writer_.path(); }
    struct Row {
        int64_t id = 0;
        Answer answer;  // null: none
    };
    Row find(const std::string& context, std::string_view question);
    // All of it or nothing; is_busy() is true of the error where another program writes now. The least recently used
    // answers go as others come, until the rest keeps to most_bytes.
    void write(const AnswersByContext& answers, const std::unordered_set<int64_t>& used);
    void clear();

    struct Counts {
        uint64_t entries = 0, bytes = 0;
    };
    Counts counts();

    static constexpr int kApplication = 0x44724d31;  // "DrM1"
    static constexpr int kVersion = 1;
    static constexpr uint64_t kRowBytes = 64;  // per row, besides question and answer

private:
    using Ids = std::unordered_map<std::string, int64_t>;
    void open();
    static int64_t known_context(const std::string& context, Statement& find, Ids& known);
    int64_t written_context(const std::string& context);
    void evict();

    const uint64_t most_bytes_;
    std::mutex writing_, reading_;  // each guards what its connection has
    Database writer_, reader_;
    Statement insert_, touch_, find_context_, add_context_, oldest_, remove_, add_bytes_;
    Ids contexts_;
    Statement read_, read_context_;
    Ids read_contexts_;
};

}  // namespace dragoman::tm
