// SPDX-License-Identifier: Apache-2.0
#include "serve/guard/guard.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <utility>

#include "serve/guard/clock.h"
#include "serve/guard/headers.h"
#include "serve/guard/hosts.h"
#include "serve/guard/limits.h"
#include "serve/guard/origins.h"
#include "serve/guard/proxies.h"
#include "serve/guard/secrets.h"
#include "serve/guard/words.h"

namespace serve::guard {
namespace {

using Kind = Problem::Kind;

constexpr std::string_view kAdmin = "admin";
constexpr std::size_t kLongestKey = 1024;  // a field may have megabytes, which are not worth a hash

http::Response refusal(int status, const std::string& why) {
    http::Response response;
    response.status = status;
    response.body = Json{{"error", why}}.dump(-1, ' ', false, Json::error_handler_t::replace);
    return response;
}

// Addresses that a limit counts as one asker.
std::string customer_of(const std::string& address) {
    const std::optional<Address> known = read_address(address);
    return known ? known->customer() : address;
}

std::string key_given(const http::Request& request, const Route& route, const Json& fields) {
    if (const auto key = key_of(request.header("Authorization"), "Bearer "); !key.empty()) return std::string(key);
    if (route.key_header)
        if (const auto key = key_of(request.header(route.key_header), route.key_before); !key.empty())
            return std::string(key);
    if (!route.key_field || !fields.is_object()) return {};
    const auto field = fields.find(route.key_field);
    return field != fields.end() && field->is_string() ? field->get<std::string>() : std::string();
}

std::vector<Window> windows_of(const GuardOptions& options) {
    return {{options.requests_per_minute, std::chrono::minutes(1), "minute"},
            {options.requests_per_hour, std::chrono::hours(1), "hour"},
            {options.requests_per_day, std::chrono::hours(24), "day"}};
}

}  // namespace

struct Guard::Impl {
    struct GivenKey {
        std::string hash, id;
    };

    // The id must be the same after a restart, since things belong to it, and tell nothing of the key.
    static std::vector<GivenKey> given_keys(const std::vector<std::string>& keys) {
        std::vector<GivenKey> all;
        for (const std::string& key : keys)
            all.push_back({sha256(key), "e" + hex(sha256("id of " + key)).substr(0, 12)});
        return all;
    }

    explicit Impl(const GuardOptions& given)
        : options(given), proxies(given.proxies), hosts(given.hosts), origins(given.origins),
          windows(windows_of(given)), environment_keys(given_keys(given.keys)),
          admin_hash(given.admin_key.empty() ? "" : sha256(given.admin_key)) {
        if (!given.keys_file.empty()) keys = std::make_unique<Keys>(given.keys_file, given.trouble);
    }

    // One who asks, before limits.
    struct Asker {
        std::string id;  // empty: by the address
        bool admin = false, limited = true;
        std::int64_t requests_per_minute = -1, max_characters = -1;
    };

    bool has_keys() const { return !environment_keys.empty() || (keys && !keys->empty()); }

    std::optional<Asker> find(const std::string& secret) {
        if (secret.size() > kLongestKey) return {};
        const std::string hash = sha256(secret);
        std::optional<Asker> found;
        if (!admin_hash.empty() && equal(hash, admin_hash)) found = Asker{std::string(kAdmin), true, false};
        for (const GivenKey& each : environment_keys)
            if (equal(hash, each.hash) && !found) found = Asker{each.id};
        if (found || !keys || keys->empty()) return found;
        const std::optional<Key> key = keys->find(secret);
        if (!key) return {};
        const std::lock_guard lock(mutex);
        quotas[key->id] = key->characters_per_month;
        return Asker{key->id, key->admin, true, key->requests_per_minute, key->max_characters};
    }

    // Without an admin key, whoever sits at this machine is the operator; a proxy on it, or a page in its browser, is
    // not.
    bool is_operator(const http::Request& request) const {
        if (!admin_hash.empty() || proxies.any() || Proxies::forwarded(request)) return false;
        const std::string_view site = request.header("Sec-Fetch-Site");
        if (!site.empty() && site != "same-origin" && site != "none") return false;
        if (!request.header("Origin").empty() && !is_own_page(request, proxies)) return false;
        if (request.peer == "unix") return true;
        const std::optional<Address> peer = read_endpoint(request.peer);
        return peer && peer->is_loopback() && is_localhost(host_name(request.header("Host")));
    }

    // The asker with the key that was given; throws Problem where that is needed and is not right.
    std::optional<Asker> identify(const std::string& secret, const std::string& customer, Access access) {
        if (secret.empty() || (!has_keys() && admin_hash.empty())) return {};
        const bool matters = access == Access::admin || (access == Access::key && has_keys());
        const LimitClock::time_point now = LimitClock::now();
        if (const auto wait = guesses.blocked(customer, now)) {
            if (!matters) return {};
            throw Problem(Kind::too_many, "Too many different wrong API keys came from this address", "api_key",
                          static_cast<int>(wait->count()));
        }
        if (std::optional<Asker> found = find(secret)) return found;
        guesses.wrong(customer, secret, now);
        if (matters) throw Problem(Kind::forbidden, "Invalid API key", "api_key");
        return {};
    }

    void check_right(const Asker& asker, bool key_given, Access access, bool needed) const {
        if (access == Access::key && needed && asker.id.empty())
            throw Problem(Kind::unauthorized, "Please contact the server operator to get an API key", "api_key");
        if (access != Access::admin || asker.admin) return;
        if (admin_hash.empty())
            throw Problem(Kind::forbidden,
                          "Only the operator may do this: on the machine of the service itself, or with a "
                          "key that may administer",
                          "admin");
        throw Problem(key_given ? Kind::forbidden : Kind::unauthorized, "This needs the admin key", "admin");
    }

    void check_limits(const Asker& asker, const std::string& customer) {
        if (!asker.limited) return;
        const std::string who = asker.id.empty() ? "address " + customer : "key " + asker.id;
        const std::vector<Window> own = {{asker.requests_per_minute, std::chrono::minutes(1), "minute"}};
        const std::vector<Window>& all = asker.requests_per_minute >= 0 ? own : windows;
        if (all[0].most < 0 && (all.size() == 1 || (all[1].most < 0 && all[2].most < 0))) return;
        if (const auto exceeded = limits.take(who, all, LimitClock::now()))
            throw Problem(Kind::too_many,
                          fmt::format("Slowdown: {} per 1 {}", exceeded->window.most, exceeded->window.name),
                          "requests", static_cast<int>(exceeded->wait.count()));
    }

    GuardOptions options;
    Proxies proxies;
    Hosts hosts;
    Origins origins;
    std::vector<Window> windows;
    std::vector<GivenKey> environment_keys;
    std::string admin_hash;
    std::unique_ptr<Keys> keys;
    Limits limits;
    Guesses guesses;
    mutable std::mutex mutex;
    std::map<std::string, std::int64_t> quotas;  // characters a month, of keys that were seen
    // Characters in a month of those who are not in the file.
    std::map<std::string, std::pair<std::string, std::uint64_t>> others;
};

Guard::Guard(const GuardOptions& options) : impl_(std::make_unique<Impl>(options)) {}
Guard::~Guard() = default;

std::optional<http::Response> Guard::before(const http::Request& head) const {
    if (head.peer != "unix" && !impl_->hosts.allows(head.header("Host")))
        return refusal(421,
                       fmt::format("The name '{}' is not one of this service; its operator can add it (--allow-host)",
                                   head.header("Host")));
    if (is_preflight(head)) {
        if (!impl_->origins.allows(head.header("Origin")))
            return refusal(403, fmt::format("Pages of {} may not use this service; its operator can allow it "
                                            "(--allow-origin)",
                                            head.header("Origin")));
        http::Response response;
        response.status = 204;
        response.content_type.clear();
        add_preflight(head, response);
        return response;
    }
    if (!is_refused(head, impl_->origins, impl_->proxies)) return {};
    const std::string_view origin = head.header("Origin");
    return refusal(403, fmt::format("Pages of {} may not use this service; its operator can allow it (--allow-origin)",
                                    origin.empty() ? "other sites" : origin));
}

Account Guard::enter(const http::Request& request, const Route& route, const Json& fields) {
    Account account;
    account.address = client_address(request);
    const std::string customer = customer_of(account.address);
    const std::string secret = key_given(request, route, fields);
    Impl::Asker asker = impl_->identify(secret, customer, route.access).value_or(Impl::Asker{});
    if (impl_->is_operator(request)) asker.admin = true;
    impl_->check_right(asker, !secret.empty(), route.access, keys_needed());
    if (route.limited) impl_->check_limits(asker, customer);
    account.owner = asker.id;
    account.admin = asker.admin;
    const std::int64_t most = asker.max_characters >= 0 ? asker.max_characters : impl_->options.max_characters;
    account.max_characters = most > 0 ? static_cast<std::uint64_t>(most) : 0;
    return account;
}

void Guard::charge(const Account& account, std::uint64_t characters) {
    const std::lock_guard lock(impl_->mutex);
    const auto quota = impl_->quotas.find(account.owner);
    if (quota == impl_->quotas.end()) {
        auto& [month, count] = impl_->others[account.owner];
        const std::string now = month_of(std::chrono::system_clock::now());
        if (month != now) month = now, count = 0;
        count += characters;
        return;
    }
    const std::uint64_t used = impl_->keys->used(account.owner);
    if (quota->second >= 0 && used + characters > static_cast<std::uint64_t>(quota->second))
        throw Problem(Kind::quota,
                      fmt::format("Quota exceeded: {} of {} characters of this month are used, {} more are "
                                  "asked for",
                                  used, quota->second, characters),
                      "characters");
    impl_->keys->use(account.owner, characters);
}

void Guard::finish(const http::Request& request, http::Response& response) const {
    add_origin(request, impl_->origins, response);
    add_security_headers(response, impl_->options.hsts && is_secure(request));
    if (response.status == 401) response.headers.push_back({"WWW-Authenticate", "Bearer"});
}

std::string Guard::client_address(const http::Request& request) const { return impl_->proxies.client(request); }

bool Guard::is_secure(const http::Request& request) const { return impl_->proxies.secure(request); }

bool Guard::keys_needed() const {
    return impl_->options.always_required || (impl_->options.keys_required && impl_->has_keys());
}

std::int64_t Guard::max_characters() const { return impl_->options.max_characters; }

Keys* Guard::keys() { return impl_->keys.get(); }

std::pair<std::uint64_t, std::uint64_t> Guard::usage(const Account& account) const {
    const std::lock_guard lock(impl_->mutex);
    if (const auto quota = impl_->quotas.find(account.owner); quota != impl_->quotas.end())
        return {impl_->keys->used(account.owner), quota->second > 0 ? static_cast<std::uint64_t>(quota->second) : 0};
    const auto other = impl_->others.find(account.owner);
    const bool known = other != impl_->others.end() &&
                       other->second.first == month_of(std::chrono::system_clock::now());
    return {known ? other->second.second : 0, 0};
}

}  // namespace serve::guard
