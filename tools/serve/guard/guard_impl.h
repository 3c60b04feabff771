// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "serve/guard/guard.h"
#include "serve/guard/hosts.h"
#include "serve/guard/limits.h"
#include "serve/guard/origins.h"
#include "serve/guard/proxies.h"

namespace serve::guard {

struct Guard::Impl {
    struct GivenKey {
        std::string hash, id;
    };
    // One who asks, before limits.
    struct Asker {
        std::string id;  // empty: by the address
        bool admin = false, limited = true;
        std::int64_t requests_per_minute = -1, max_characters = -1;
    };

    explicit Impl(const GuardOptions& given);
    static std::vector<GivenKey> given_keys(const std::vector<std::string>& keys);
    // askers.cpp
    bool has_keys() const { return !environment_keys.empty() || (keys && !keys->empty()); }
    bool needs_keys() const { return options.always_required || (options.keys_required && has_keys()); }
    std::optional<Asker> find(const std::string& secret);
    bool is_operator(const http::Request& request) const;
    // The asker with the key that was given; throws Problem where that is needed and is not right.
    std::optional<Asker> identify(const std::string& secret, const std::string& customer, Access access);
    void check_right(const Asker& asker, bool key_given, Access access) const;
    void check_limits(const Asker& asker, const std::string& customer);
    // guard.cpp
    void find_quota(const std::string& owner);  // in the file, where the key has not asked yet
    void count_other(const std::string& owner, std::uint64_t characters);  // with `mutex`

    const GuardOptions options;
    const Proxies proxies;
    const Hosts hosts;
    const Origins origins;
    const std::vector<Window> windows;
    const std::vector<GivenKey> environment_keys;
    const std::string admin_hash;
    std::unique_ptr<Keys> keys;
    Limits limits;
    Guesses guesses;
    mutable std::mutex mutex;  // of what follows
    std::map<std::string, std::int64_t> quotas;  // characters a month, of keys that were seen
    // Characters in a month of those who are not in the file.
    std::map<std::string, std::pair<std::string, std::uint64_t>> others;
};

}  // namespace serve::guard
