// SPDX-License-Identifier: Apache-2.0
#include "serve/guard/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <fstream>
#include <stdexcept>
#include <system_error>

#include "base/os/path_text.h"

namespace serve::guard {
namespace {

constexpr int kPatienceMs = 2000;

// SQLite gives the files beside it, which it makes itself, the same permissions.
void make_private(const std::filesystem::path& file) {
    std::error_code error;
    if (std::filesystem::exists(file, error)) return;
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
    std::ofstream made(file, std::ios::binary | std::ios::app);
    if (!made) throw std::runtime_error(fmt::format("{}: cannot be made", dragoman::text_of(file)));
    std::filesystem::permissions(file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, error);
    if (error) throw std::runtime_error(fmt::format("{}: {}", dragoman::text_of(file), error.message()));
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Statement::check(int code) const {
    if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE)
        throw std::runtime_error(fmt::format("{}: {}", file_, sqlite3_errmsg(database_)));
}

Statement& Statement::bind(int place, std::int64_t value) {
    check(sqlite3_bind_int64(statement_.get(), place, value));
    return *this;
}

Statement& Statement::bind(int place, std::string_view text) {
    check(sqlite3_bind_text(statement_.get(), place, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT));
    return *this;
}

Statement& Statement::bind_bytes(int place, std::string_view bytes) {
    check(sqlite3_bind_blob(statement_.get(), place, bytes.data(), static_cast<int>(bytes.size()), SQLITE_TRANSIENT));
    return *this;
}

bool Statement::step() {
    const int code = sqlite3_step(statement_.get());
    check(code);
    return code == SQLITE_ROW;
}

void Statement::run() {
    while (step()) {}
}

std::int64_t Statement::number(int column) const { return sqlite3_column_int64(statement_.get(), column); }

std::string Statement::text(int column) const {
    const void* bytes = sqlite3_column_blob(statement_.get(), column);
    if (!bytes) return {};
    return {static_cast<const char*>(bytes), static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

void Database::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

Database::Database(const std::filesystem::path& file, Mode mode) : file_(dragoman::text_of(file)) {
    if (mode == Mode::create) make_private(file);
    sqlite3* opened = nullptr;
    const int flags = mode == Mode::create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    const int code = sqlite3_open_v2(file_.c_str(), &opened, flags | SQLITE_OPEN_NOMUTEX, nullptr);
    database_.reset(opened);
    if (code != SQLITE_OK)
        throw std::runtime_error(fmt::format("{}: {}", file_, opened ? sqlite3_errmsg(opened) : "out of memory"));
    sqlite3_busy_timeout(opened, kPatienceMs);
}

void Database::run(const char* sql) {
    if (sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK)
        throw std::runtime_error(fmt::format("{}: {}", file_, sqlite3_errmsg(database_.get())));
}

Statement Database::prepare(const char* sql) {
    Statement statement;
    sqlite3_stmt* prepared = nullptr;
    if (sqlite3_prepare_v2(database_.get(), sql, -1, &prepared, nullptr) != SQLITE_OK)
        throw std::runtime_error(fmt::format("{}: {}", file_, sqlite3_errmsg(database_.get())));
    statement.statement_.reset(prepared);
    statement.database_ = database_.get();
    statement.file_ = file_;
    return statement;
}

std::int64_t Database::changes() const { return sqlite3_changes64(database_.get()); }

}  // namespace serve::guard
