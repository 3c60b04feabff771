// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace dragoman::recall {

// A question to a database, asked any number of times: bind, step, read, reset. One thread at a time.
class Statement {
public:
    Statement() = default;
    Statement& bind(int place, int64_t value);  // places from 1
    Statement& bind(int place, std::string_view bytes);  // which live until reset()
    bool step();  // false: no more rows
    void run();   // to its end, and reset()
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

// A file of SQLite, made if there is none. Throws io_error naming the path. Waits up to `patience_ms` for others that
// write.
class Database {
public:
    Database(const std::string& path, int patience_ms);
    Database(const Database&) = delete;
    const std::string& path() const { return path_; }
    void run(const char* sql);
    int64_t number(const char* sql);  // the first column of the first row; 0 without
    Statement prepare(const char* sql);
    int64_t changes() const;  // rows that were written since it was opened

private:
    struct Close {
        void operator()(sqlite3* database) const;
    };
    const std::string path_;
    std::unique_ptr<sqlite3, Close> database_;
};

// From here to commit(), or nothing of it. Others wait meanwhile.
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

// Others wrote all the time that was allowed for waiting.
bool is_busy(const std::exception& error);

}  // namespace dragoman::recall
