// SPDX-License-Identifier: Apache-2.0
#include "tm/answer_file.h"

#include <chrono>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/log.h"

namespace dragoman::tm {
namespace {

constexpr int kPatience = 10'000;               // milliseconds to wait for others,
constexpr int kPause = 10;                      // and between two attempts
constexpr std::size_t kPortion = 512;           // answers that are written at once,
constexpr std::size_t kPortionBytes = 1u << 20; // or so many bytes of them
constexpr std::size_t kMaxWaiting = 64u << 20; // bytes that may wait while others write

// Changing the mode needs a lock that does not wait, so two processes that create one file retry in turns.
void use_log(Database& database) {
    for (int tried = 0;; ++tried) {
        try {
            return database.run("PRAGMA journal_mode = WAL");
        } catch (const Error& error) {
            if (!is_busy(error) || tried == kPatience / kPause) throw;
            std::this_thread::sleep_for(std::chrono::milliseconds(kPause));
        }
    }
}

void make_tables(Database& database) {
    database.run(R"(
        CREATE TABLE totals (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        INSERT INTO totals VALUES ('bytes', 0), ('clock', 0);
        CREATE TABLE contexts (id INTEGER PRIMARY KEY, content BLOB NOT NULL UNIQUE);
        CREATE TABLE answers (id INTEGER PRIMARY KEY, context INTEGER NOT NULL, question BLOB NOT NULL,
                              answer BLOB NOT NULL, used INTEGER NOT NULL, UNIQUE (context, question));
        CREATE INDEX answers_by_use ON answers (used, id);)");
    database.run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", AnswerFile::kApplication,
                             AnswerFile::kVersion)
                     .c_str());
}

}  // namespace

AnswerFile::AnswerFile(const std::string& path, uint64_t most_bytes)
    : most_bytes_(most_bytes), database_(path, kPatience) {
    open();
    const auto prepare = [&](const char* sql) { return database_.prepare(sql); };
    find_ = prepare("SELECT id, answer FROM answers WHERE context = ? AND question = ?");
    insert_ = prepare(
        "INSERT OR IGNORE INTO answers (context, question, answer, used) "
        "VALUES (?, ?, ?, (SELECT value FROM totals WHERE name = 'clock'))");
    touch_ = prepare("UPDATE answers SET used = (SELECT value FROM totals WHERE name = 'clock') WHERE id = ?");
    find_context_ = prepare("SELECT id FROM contexts WHERE content = ?");
    add_context_ = prepare("INSERT INTO contexts (content) VALUES (?)");
    oldest_ = prepare("SELECT id, length(question) + length(answer) FROM answers ORDER BY used, id LIMIT 256");
    remove_ = prepare("DELETE FROM answers WHERE id = ?");
    add_bytes_ = prepare("UPDATE totals SET value = value + ? WHERE name = 'bytes'");
}

void AnswerFile::open() {
    const auto is_new = [&] {
        return database_.number("PRAGMA application_id") == 0 &&
               database_.number("SELECT count(*) FROM sqlite_schema") == 0;
    };
    if (is_new()) {
        use_log(database_);
        Transaction transaction(database_);
        if (is_new()) make_tables(database_);  // another process may have created them meanwhile
        transaction.commit();
    }
    const int64_t application = database_.number("PRAGMA application_id");
    if (application != kApplication)
        fail(Status::io_error, "{}: expected a memory of translations (application id {:#x}), got a database of {:#x}",
             database_.path(), kApplication, application);
    if (const int64_t version = database_.number("PRAGMA user_version"); version != kVersion)
        fail(Status::io_error, "{}: expected version {} of memories of translations, got {}", database_.path(),
             kVersion, version);
    database_.run("PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 8388608;");
}

AnswerFile::~AnswerFile() {
    try {
        const std::lock_guard lock(mutex_);
        write();
    } catch (const std::exception& error) {
        log(LogLevel::warning, "{}", error.what());
    }
}

int64_t AnswerFile::context_id(const std::string& context, bool make) {
    if (const auto known = contexts_.find(context); known != contexts_.end()) return known->second;
    find_context_.bind(1, context);
    const int64_t id = find_context_.step() ? find_context_.number(0) : 0;
    find_context_.reset();
    if (id) return contexts_[context] = id;
    if (!make) return 0;
    add_context_.bind(1, context).run();
    return context_id(context, false);
}

Answer AnswerFile::find(const std::string& context, std::string_view question) {
    const std::lock_guard lock(mutex_);
    if (const auto of_context = waiting_.find(context); of_context != waiting_.end())
        if (const auto at = of_context->second.find(std::string(question)); at != of_context->second.end())
            return at->second;
    const int64_t id = context_id(context, false);
    if (!id) return nullptr;
    find_.bind(1, id).bind(2, question);
    Answer answer;
    if (find_.step()) {
        used_.insert(find_.number(0));
        answer = std::make_shared<const std::string>(find_.bytes(1));
    }
    find_.reset();
    return answer;
}

void AnswerFile::put(const std::string& context, std::string_view question, Answer answer) {
    if (question.size() + answer->size() + kRowBytes > most_bytes_) return;
    const std::lock_guard lock(mutex_);
    const std::size_t bytes = question.size() + answer->size();
    if (!waiting_[context].emplace(question, std::move(answer)).second) return;
    ++waiting_count_;
    waiting_bytes_ += bytes;
    if (waiting_count_ % kPortion == 0 || waiting_bytes_ >= kPortionBytes) try_to_write();
}

void AnswerFile::try_to_write() {
    try {
        write();
    } catch (const Error& error) {
        if (!is_busy(error) || waiting_bytes_ > kMaxWaiting) throw;
        log(LogLevel::debug, "{}; {} answers wait", error.what(), waiting_count_);
    }
}

void AnswerFile::flush() {
    const std::lock_guard lock(mutex_);
    try_to_write();
}

void AnswerFile::write() {
    if (waiting_count_ == 0 && used_.empty()) return;
    std::unordered_map<std::string, int64_t> before = contexts_;
    try {
        Transaction transaction(database_);
        database_.run("UPDATE totals SET value = value + 1 WHERE name = 'clock'");
        for (const int64_t row : used_) touch_.bind(1, row).run();
        int64_t added = 0;
        for (const auto& [context, answers] : waiting_) {
            const int64_t id = context_id(context, true);
            for (const auto& [question, answer] : answers) {
                const int64_t rows = database_.changes();
                insert_.bind(1, id).bind(2, question).bind(3, *answer).run();
                if (database_.changes() > rows) added += int64_t(question.size() + answer->size() + kRowBytes);
            }
        }
        add_bytes_.bind(1, added).run();
        evict();
        transaction.commit();
    } catch (...) {
        contexts_ = std::move(before);  // contexts created in the failed attempt are gone
        throw;
    }
    waiting_.clear();
    used_.clear();
    waiting_count_ = waiting_bytes_ = 0;
}

// Evicts the least recently used answers until a tenth is free, so that this is not needed for every portion.
void AnswerFile::evict() {
    auto bytes = uint64_t(database_.number("SELECT value FROM totals WHERE name = 'bytes'"));
    if (bytes <= most_bytes_) return;
    int64_t removed = 0;
    while (bytes - uint64_t(removed) > most_bytes_ / 10 * 9) {
        std::vector<int64_t> rows;
        int64_t freed = removed;
        while (bytes - uint64_t(freed) > most_bytes_ / 10 * 9 && oldest_.step()) {
            rows.push_back(oldest_.number(0));
            freed += oldest_.number(1) + int64_t(kRowBytes);
        }
        oldest_.reset();
        for (const int64_t row : rows) remove_.bind(1, row).run();
        removed = freed;
        if (rows.empty()) break;
    }
    add_bytes_.bind(1, -removed).run();
}

void AnswerFile::clear() {
    const std::lock_guard lock(mutex_);
    waiting_.clear();
    used_.clear();
    waiting_count_ = waiting_bytes_ = 0;
    Transaction transaction(database_);
    database_.run("DELETE FROM answers; UPDATE totals SET value = 0 WHERE name = 'bytes';");
    transaction.commit();
}

AnswerFile::Counts AnswerFile::counts() {
    const std::lock_guard lock(mutex_);
    return {uint64_t(database_.number("SELECT count(*) FROM answers")) + waiting_count_,
            uint64_t(database_.number("SELECT value FROM totals WHERE name = 'bytes'")) + waiting_bytes_ +
                waiting_count_ * kRowBytes};
}

}  // namespace dragoman::tm
