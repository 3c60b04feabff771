// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace serve::guard {

// A prepared statement: bind, step, read. One thread at a time.
class Statement {
public:
    Statement& bind(int place, std::int64_t value);     // places from 1
    Statement& bind(int place, std::string_view text);  // is copied
    Statement& bind_bytes(int place, std::string_view bytes);
    bool step();  // false: no more rows
    void run();
    std::int64_t number(int column) const;  // columns from 0
    std::string text(int column) const;     // bytes, too; empty for NULL

private:
    friend class Database;
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    void check(int code) const;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
    sqlite3* database_ = nullptr;
    std::string file_;
};

// A connection to an SQLite file. Waits up to two seconds for other writers. Throws std::runtime_error naming the file.
class Database {
public:
    enum class Mode { create, read_only };
    Database(const std::filesystem::path& file, Mode mode);
    void run(const char* sql);
    Statement prepare(const char* sql);
    std::int64_t changes() const;  // rows of the last statement

private:
    struct Close {
        void operator()(sqlite3* database) const;
    };
    std::string file_;
    std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace serve::guard
