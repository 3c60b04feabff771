// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// The room of the guard: who may ask, and how much. It knows of requests, not of translations.
namespace serve::guard {

struct Key {
    std::string id;     // public: what logs and owners show
    std::string note;   // for the operator
    bool admin = false;
    std::int64_t requests_per_minute = -1;   // -1: as for all
    std::int64_t max_characters = -1;        // of one text
    std::int64_t characters_per_month = -1;  // -1: no limit
    std::int64_t characters_used = 0;        // in this month
    std::string created, last_used;          // ISO 8601; may be empty
};

// Keys in SQLite; of each only a hash is kept. Any thread; other processes may change the file.
class Keys {
public:
    explicit Keys(const std::filesystem::path& file);  // made where it is missing; throws std::runtime_error
    ~Keys();
    std::string add(Key key);  // gives the new key itself, which is never shown again
    void import(const std::string& secret, Key key);  // one that exists elsewhere
    bool remove(const std::string& id);
    std::vector<Key> list() const;
    std::optional<Key> find(const std::string& secret) const;  // in constant time; cached for a few seconds
    void use(const std::string& id, std::uint64_t characters); // written in the background
    bool empty() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace serve::guard
