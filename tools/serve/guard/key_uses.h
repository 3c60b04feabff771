// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "serve/guard/keys.h"

namespace serve::guard {

// How much keys were used in this month: what the file has, and what is not written yet. Any thread.
class KeyUses {
public:
    // Requests and characters, by id; fewer characters than none where some were given back that the file has.
    using Counts = std::map<std::string, std::pair<std::uint64_t, std::int64_t>>;

    void add(const std::string& id, std::uint64_t characters);
    void give_back(const std::string& id, std::uint64_t characters);  // that were added; the request stays
    // Characters that count in characters(), and are never written, until they are released.
    void reserve(const std::string& id, std::uint64_t characters);
    void release(const std::string& id, std::uint64_t characters);
    std::uint64_t characters(const std::string& id);
    // The file has more characters of that month by now.
    void add_written(const std::string& id, const std::string& month, std::uint64_t characters);
    // What is not written yet, by month. It stays until written() says that it is.
    std::map<std::string, Counts> unwritten() const;
    void written(const std::string& month, const Counts& counts);

    // How often something was written. Take it before a key is read, and give it to complete().
    std::uint64_t generation() const;
    // Adds what is not written to what was read of a key, and keeps that, unless something was written meanwhile.
    void complete(Key& key, std::uint64_t generation_before);

private:
    struct Use {
        std::string month;
        std::int64_t written = 0;    // characters that the file has, as far as is known
        std::uint64_t requests = 0;  // not yet written, as are these
        std::int64_t characters = 0;
        std::int64_t reserved = 0;
        bool is_written() const { return requests == 0 && characters == 0; }
        std::int64_t total() const { return std::max<std::int64_t>(written + characters + reserved, 0); }
    };
    Use& this_months(const std::string& id);  // `mutex_` is held

    mutable std::mutex mutex_;
    std::unordered_map<std::string, Use> uses_;
    std::unordered_map<std::string, Use> last_month_;  // only what is not written
    std::uint64_t generation_ = 0;
};

}  // namespace serve::guard
