// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "serve/guard/keys.h"
#include "serve/http/message.h"
#include "serve/router.h"

namespace serve::guard {

struct GuardOptions {
    std::filesystem::path keys_file;          // SQLite; empty: no keys
    std::vector<std::string> keys;            // given by the environment, each may do everything but administer
    std::string admin_key;  // for what changes the service; empty: only from this machine, without proxies
    bool keys_required = true;  // where there are keys; false: keys only raise limits
    bool always_required = false;  // also before the first key is there
    std::int64_t requests_per_minute = -1, requests_per_hour = -1, requests_per_day = -1;  // of a key, or of an address
    std::int64_t max_characters = -1;  // of one text
    std::vector<std::string> proxies;  // addresses and networks whose X-Forwarded-For / Forwarded is believed
    std::vector<std::string> hosts;  // names in Host that are served besides localhost and numeric addresses; "*": all
    std::vector<std::string> origins;  // of pages that may ask from a browser; "*": all; empty: the own page only
    bool hsts = false;  // tells browsers to come back over TLS only
    Keys::Trouble trouble;  // what went wrong in the background; null: standard error
};

// Characters that an owner used in this month (UTC).
struct Usage {
    std::uint64_t used = 0;
    std::optional<std::uint64_t> limit;  // none: no limit; 0: nothing may be translated
    bool operator==(const Usage&) const = default;
};

// Who may ask. Any thread; nothing waits.
class Guard {
public:
    explicit Guard(const GuardOptions& options);
    ~Guard();
    // Before the body is read. Host list, and preflights of CORS (answered with 204): a refusal or an answer.
    std::optional<http::Response> before(const http::Request& head) const;
    // Who asks: by the key in its header or, when the body is there, in its fields. Throws Problem: unauthorized
    // without a key (LibreTranslate answers 400 then, DeepL 403), forbidden with a wrong one, too_many for limits, with
    // Retry-After. Counts one request where the route is limited. Open routes take a wrong key for none.
    Account enter(const http::Request& request, const Route& route, const Json& fields);
    // Before a large body is read, by what the head alone says of an asker: whether one has a key, or needs none. Throws
    // Problem as enter() would where no field of the body can change it. Counts no request.
    bool knows(const http::Request& head, const Route& route);
    // Counts characters of all texts of a request; throws Problem: quota. How long one text may be is in the account.
    void charge(const Account& account, std::uint64_t characters);
    void give_back(const std::string& owner, std::uint64_t characters);  // what charge() counted
    // A document's characters are known when it is done. Before its work: throws Problem (quota) where nothing is left
    // for its owner. When it is done they count, though its key has not asked since the start, once for each document;
    // throws Problem (quota), and counts nothing, where they are more than what is left. One that was charged before the
    // process ended is free. forget_document(): it is done, and will never be charged again.
    void check_quota(const std::string& owner, const std::string& document = {});
    void charge_document(const std::string& owner, const std::string& document, std::uint64_t characters);
    void forget_document(const std::string& document);
    // Security headers, CORS.
    void finish(const http::Request& request, http::Response& response) const;
    // Address of the client, behind named proxies too.
    std::string client_address(const http::Request& request) const;
    // "https" behind a named proxy that says so.
    bool is_secure(const http::Request& request) const;
    bool keys_needed() const;
    std::int64_t max_characters() const;
    Keys* keys();  // null: none
    Usage usage(const std::string& owner) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace serve::guard
