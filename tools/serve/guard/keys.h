// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
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
    std::int64_t requests_per_minute = -1;   // -1: as for all; otherwise limits by hour and day are not for this key
    std::int64_t max_characters = -1;        // of one text; -1: as for all, 0: no limit
    std::int64_t characters_per_month = -1;  // -1: no limit
    std::int64_t characters_used = 0;        // in this month (UTC)
    std::string created, last_used;          // ISO 8601; may be empty
};

// Keys in SQLite; of each only a hash is kept. Any thread; other processes may change the file: a key that they remove
// is served for up to 30 seconds.
class Keys {
public:
    // Gets what went wrong in the background, in words; null: standard error.
    using Trouble = std::function<void(const std::string&)>;
    // Made where it is missing; throws std::runtime_error.
    explicit Keys(const std::filesystem::path& file, Trouble trouble = {});
    ~Keys();
    std::string add(Key key);  // gives the new key itself, which is never shown again
    // One that exists elsewhere; of 16 characters or more. False: it is here already. Throws std::runtime_error.
    bool import(const std::string& secret, Key key);
    bool remove(const std::string& id);
    std::vector<Key> list() const;
    std::optional<Key> find(const std::string& secret) const;  // in constant time; cached for 30 seconds
    std::optional<Key> get(const std::string& id) const;
    void use(const std::string& id, std::uint64_t characters);  // written in the background
    void give_back(const std::string& id, std::uint64_t characters);  // what use() counted
    // The costs of a document. reserve() counts them in used(); charge() then writes them at once with the document's
    // name, so that they count once, whenever the process ends: has_charged() says so until forget_document().
    void reserve(const std::string& id, std::uint64_t characters);
    void charge(const std::string& id, const std::string& document, std::uint64_t reserved);
    bool has_charged(const std::string& document) const;
    void forget_document(const std::string& document);
    std::uint64_t used(const std::string& id) const;  // characters in this month; what use() counted included
    void flush();  // writes what use() counted, now
    // There never was a key: removing the last one does not open a service to all.
    bool empty() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace serve::guard
