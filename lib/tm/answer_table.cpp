// SPDX-License-Identifier: Apache-2.0
#include "tm/answer_table.h"

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.h"

namespace dragoman::tm {
namespace {

constexpr int kOpenPatience = 10'000;  // milliseconds to wait for others while the file is opened,
constexpr int kOpenPause = 10;         // and between two attempts
constexpr int kReadPatience = 50;      // a translation waits for this: others that read alone are rare, and not long
constexpr int kWritePatience = 10;     // who writes tries again

// Changing the mode needs a lock that does not wait, so two processes that create one file retry in turns.
void use_log(Database& database) {
    for (int tried = 0;; ++tried) {
        try {
            return database.run("PRAGMA journal_mode = WAL");
        } catch (const Error& error) {
            if (!is_busy(error) || tried == kOpenPatience / kOpenPause) throw;
            std::this_thread::sleep_for(std::chrono::milliseconds(kOpenPause));
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
    database.run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", AnswerTable::kApplication,
                             AnswerTable::kVersion)
                     .c_str());
}

constexpr const char* kFindContext = "SELECT id FROM contexts WHERE content = ?";

}  // namespace

AnswerTable::AnswerTable(const std::string& path, uint64_t most_bytes)
    : most_bytes_(most_bytes), writer_(path, kOpenPatience), reader_(path, kOpenPatience) {
    open();
    insert_ = writer_.prepare(
        "INSERT OR IGNORE INTO answers (context, question, answer, used) "
        "VALUES (?, ?, ?, (SELECT value FROM totals WHERE name = 'clock'))");
    touch_ = writer_.prepare("UPDATE answers SET used = (SELECT value FROM totals WHERE name = 'clock') WHERE id = ?");
    find_context_ = writer_.prepare(kFindContext);
    add_context_ = writer_.prepare("INSERT INTO contexts (content) VALUES (?)");
    oldest_ = writer_.prepare("SELECT id, length(question) + length(answer) FROM answers ORDER BY used, id LIMIT 256");
    remove_ = writer_.prepare("DELETE FROM answers WHERE id = ?");
    add_bytes_ = writer_.prepare("UPDATE totals SET value = value + ? WHERE name = 'bytes'");
    read_ = reader_.prepare("SELECT id, answer FROM answers WHERE context = ? AND question = ?");
    read_context_ = reader_.prepare(kFindContext);
    writer_.set_patience(kWritePatience);
    reader_.set_patience(kReadPatience);
}

void AnswerTable::open() {
    const auto is_new = [&] {
        return writer_.number("PRAGMA application_id") == 0 &&
               writer_.number("SELECT count(*) FROM sqlite_schema") == 0;
    };
    if (is_new()) {
        use_log(writer_);
        Transaction transaction(writer_);
        if (is_new()) make_tables(writer_);  // another process may have created them meanwhile
        transaction.commit();
    }
    const int64_t application = writer_.number("PRAGMA application_id");
    if (application != kApplication)
        fail(Status::io_error, "{}: expected a memory of translations (application id {:#x}), got a database of {:#x}",
             path(), kApplication, application);
    if (const int64_t version = writer_.number("PRAGMA user_version"); version != kVersion)
        fail(Status::io_error, "{}: expected version {} of memories of translations, got {}", path(), kVersion,
             version);
    writer_.run("PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 8388608;");
}

int64_t AnswerTable::known_context(const std::string& context, Statement& find, Ids& known) {
    if (const auto at = known.find(context); at != known.end()) return at->second;
    find.bind(1, context);
    const int64_t id = find.step() ? find.number(0) : 0;
    find.reset();
    return id ? known[context] = id : 0;
}

int64_t AnswerTable::written_context(const std::string& context) {
    if (const int64_t id = known_context(context, find_context_, contexts_)) return id;
    add_context_.bind(1, context).run();
    return known_context(context, find_context_, contexts_);
}

AnswerTable::Row AnswerTable::find(const std::string& context, std::string_view question) {
    const std::lock_guard lock(reading_);
    const int64_t id = known_context(context, read_context_, read_contexts_);
    if (!id) return {};
    read_.bind(1, id).bind(2, question);
    Row row;
    if (read_.step()) row = {read_.number(0), std::make_shared<const std::string>(read_.bytes(1))};
    read_.reset();
    return row;
}

void AnswerTable::write(const AnswersByContext& answers, const std::unordered_set<int64_t>& used) {
    const std::lock_guard lock(writing_);
    Ids before = contexts_;
    try {
        Transaction transaction(writer_);
        writer_.run("UPDATE totals SET value = value + 1 WHERE name = 'clock'");
        for (const int64_t row : used) touch_.bind(1, row).run();
        int64_t added = 0;
        // Many answers at once make room as they come, since SQLite never makes its file smaller.
        const auto count_added = [&] {
            add_bytes_.bind(1, std::exchange(added, 0)).run();
            evict();
        };
        for (const auto& [context, of_context] : answers) {
            const int64_t id = written_context(context);
            for (const auto& [question, answer] : of_context) {
                const int64_t rows = writer_.changes();
                insert_.bind(1, id).bind(2, question).bind(3, *answer).run();
                if (writer_.changes() > rows) added += int64_t(question.size() + answer->size() + kRowBytes);
                if (uint64_t(added) > most_bytes_) count_added();
            }
        }
        count_added();
        transaction.commit();
    } catch (...) {
        contexts_ = std::move(before);  // contexts created in the failed attempt are gone
        throw;
    }
}

// Evicts the least recently used answers until a tenth is free, so that this is not needed for every portion.
void AnswerTable::evict() {
    auto bytes = uint64_t(writer_.number("SELECT value FROM totals WHERE name = 'bytes'"));
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

void AnswerTable::clear() {
    const std::lock_guard lock(writing_);
    writer_.set_patience(kOpenPatience);
    try {
        Transaction transaction(writer_);
        writer_.run("DELETE FROM answers; UPDATE totals SET value = 0 WHERE name = 'bytes';");
        transaction.commit();
    } catch (...) {
        writer_.set_patience(kWritePatience);
        throw;
    }
    writer_.set_patience(kWritePatience);
}

AnswerTable::Counts AnswerTable::counts() {
    const std::lock_guard lock(reading_);
    return {uint64_t(reader_.number("SELECT count(*) FROM answers")),
            uint64_t(reader_.number("SELECT value FROM totals WHERE name = 'bytes'"))};
}

}  // namespace dragoman::tm
