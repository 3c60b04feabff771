// SPDX-License-Identifier: Apache-2.0
#pragma once

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
    using Counts = std::map<std::string, std::pair<std::uint64_t, std::uint64_t>>;  // requests and characters, by id

    void add(const std::string& id, std::uint64_t characters);
    std::uint64_t characters(const std::string& id);
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
        std::uint64_t written = 0;                   // characters that the file has, as far as is known
        std::uint64_t requests = 0, characters = 0;  // not yet written
    };
    Use& this_months(const std::string& id);  // `mutex_` is held

    mutable std::mutex mutex_;
    std::unordered_map<std::string, Use> uses_;
    std::unordered_map<std::string, Use> last_month_;  // only what is not written
    std::uint64_t generation_ = 0;
};

}  // namespace serve::guard
