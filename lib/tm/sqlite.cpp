// SPDX-License-Identifier: Apache-2.0
#include "tm/sqlite.h"

#include <sqlite3.h>

#include "base/error.h"

namespace dragoman::tm {
namespace {

struct Busy : Error {
    using Error::Error;
};

[[noreturn]] void refuse(const std::string& path, int code, const char* message) {
    const int kind = code & 0xff;
    if (kind == SQLITE_BUSY || kind == SQLITE_LOCKED)
        throw Busy(Status::io_error, fmt::format("{}: others have been writing to it all the time: {}", path, message));
    if (kind == SQLITE_NOTADB)
        fail(Status::io_error, "{}: expected a memory of translations, got a file that is no database of SQLite", path);
    if (kind == SQLITE_CORRUPT)
        fail(Status::io_error, "{}: the memory of translations is damaged ({}); delete the file", path, message);
    fail(Status::io_error, "{}: {}", path, message);
}

}  // namespace

bool is_busy(const std::exception& error) { return dynamic_cast<const Busy*>(&error); }

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Statement::check(int code) const {
    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
    const std::string message = sqlite3_errmsg(sqlite3_db_handle(statement_.get()));
    sqlite3_reset(statement_.get());
    refuse(*path_, code, message.c_str());
}

Statement& Statement::bind(int place, int64_t value) {
    check(sqlite3_bind_int64(statement_.get(), place, value));
    return *this;
}

Statement& Statement::bind(int place, std::string_view bytes) {
    // A null pointer would be NULL, not an empty value.
    check(sqlite3_bind_blob64(statement_.get(), place, bytes.empty() ? "" : bytes.data(), bytes.size(), SQLITE_STATIC));
    return *this;
}

bool Statement::step() {
    const int code = sqlite3_step(statement_.get());
    check(code);
    return code == SQLITE_ROW;
}

void Statement::run() {
    while (step()) {}
    reset();
}

void Statement::reset() {
    sqlite3_reset(statement_.get());
    sqlite3_clear_bindings(statement_.get());
}

int64_t Statement::number(int column) const { return sqlite3_column_int64(statement_.get(), column); }

std::string Statement::bytes(int column) const {
    const void* data = sqlite3_column_blob(statement_.get(), column);
    const auto size = std::size_t(sqlite3_column_bytes(statement_.get(), column));
    return data ? std::string(static_cast<const char*>(data), size) : std::string();
}

void Database::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

Database::Database(const std::string& path, int patience_ms) : path_(path) {
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &opened,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
    database_.reset(opened);
    if (!opened) fail(Status::out_of_memory, "{}: no memory to open it", path);
    if (code != SQLITE_OK) refuse(path, code, sqlite3_errmsg(opened));
    if (sqlite3_db_readonly(opened, "main") == 1)
        fail(Status::io_error, "{}: expected a file that can be written", path);
    sqlite3_extended_result_codes(opened, 1);
    set_patience(patience_ms);
}

void Database::set_patience(int milliseconds) { sqlite3_busy_timeout(database_.get(), milliseconds); }

void Database::run(const char* sql) {
    const int code = sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) refuse(path_, code, sqlite3_errmsg(database_.get()));
}

int64_t Database::number(const char* sql) {
    Statement statement = prepare(sql);
    return statement.step() ? statement.number(0) : 0;
}

Statement Database::prepare(const char* sql) {
    sqlite3_stmt* made = nullptr;
    const int code = sqlite3_prepare_v2(database_.get(), sql, -1, &made, nullptr);
    Statement statement;
    statement.statement_.reset(made);
    statement.path_ = &path_;
    if (code != SQLITE_OK) refuse(path_, code, sqlite3_errmsg(database_.get()));
    return statement;
}

int64_t Database::changes() const { return sqlite3_total_changes64(database_.get()); }

Transaction::Transaction(Database& database) : database_(database) { database_.run("BEGIN IMMEDIATE"); }

Transaction::~Transaction() {
    if (!open_) return;
    try {
        database_.run("ROLLBACK");
    } catch (const std::exception&) {  // it is rolled back in any case
    }
}

void Transaction::commit() {
    database_.run("COMMIT");
    open_ = false;
}

}  // namespace dragoman::tm
