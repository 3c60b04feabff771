// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace dragoman::tm {

// A prepared statement, to be used any number of times: bind, step, read, reset. One thread at a time.
class Statement {
public:
    Statement() = default;
    Statement& bind(int place, int64_t value);  // places from 1
    Statement& bind(int place, std::string_view bytes);  // the bytes must live until reset()
    bool step();  // false: no more rows
    void run();   // runs to its end, and resets
    void reset();
    int64_t number(int column) const;  // columns from 0
    std::string bytes(int column) const;

private:
    friend class Database;
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    void check(int code) const;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
    const std::string* path_ = nullptr;
};

// An SQLite file, created if missing. Throws io_error naming the path. Waits up to `patience_ms` for other writers.
class Database {
public:
    Database(const std::string& path, int patience_ms);
    Database(const Database&) = delete;
    const std::string& path() const { return path_; }
    void set_patience(int milliseconds);
    void run(const char* sql);
    int64_t number(const char* sql);  // the first column of the first row; 0 if there is none
    Statement prepare(const char* sql);
    int64_t changes() const;  // rows that were written since it was opened

private:
    struct Close {
        void operator()(sqlite3* database) const;
    };
    const std::string path_;
    std::unique_ptr<sqlite3, Close> database_;
};

// A transaction from here to commit(); without commit() nothing changes. Others wait meanwhile.
class Transaction {
public:
    explicit Transaction(Database& database);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    void commit();

private:
    Database& database_;
    bool open_ = true;
};

// Whether others wrote during all of the time allowed for waiting.
bool is_busy(const std::exception& error);

}  // namespace dragoman::tm
