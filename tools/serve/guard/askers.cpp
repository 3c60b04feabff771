// SPDX-License-Identifier: Apache-2.0
// Who asks, and whether they may.
#include <fmt/format.h>

#include <chrono>

#include "serve/guard/address.h"
#include "serve/guard/guard_impl.h"
#include "serve/guard/secrets.h"

namespace serve::guard {
namespace {

using Kind = Problem::Kind;

constexpr std::string_view kAdmin = "admin";
constexpr std::size_t kLongestKey = 1024;  // a field may have megabytes, which are not worth a hash

std::vector<Window> windows_of(const GuardOptions& options) {
    return {{options.requests_per_minute, std::chrono::minutes(1), "minute"},
            {options.requests_per_hour, std::chrono::hours(1), "hour"},
            {options.requests_per_day, std::chrono::hours(24), "day"}};
}

}  // namespace

// The id must be the same after a restart, since things belong to it, and tell nothing of the key.
std::vector<Guard::Impl::GivenKey> Guard::Impl::given_keys(const std::vector<std::string>& keys) {
    std::vector<GivenKey> all;
    for (const std::string& key : keys) all.push_back({sha256(key), "e" + hex(sha256("id of " + key)).substr(0, 12)});
    return all;
}

Guard::Impl::Impl(const GuardOptions& given)
    : options(given), proxies(given.proxies), hosts(given.hosts), origins(given.origins), windows(windows_of(given)),
      environment_keys(given_keys(given.keys)), admin_hash(given.admin_key.empty() ? "" : sha256(given.admin_key)) {
    if (!given.keys_file.empty()) keys = std::make_unique<Keys>(given.keys_file, given.trouble);
}

std::optional<Guard::Impl::Asker> Guard::Impl::find(const std::string& secret) {
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
bool Guard::Impl::is_operator(const http::Request& request) const {
    if (!admin_hash.empty() || proxies.any() || Proxies::forwarded(request)) return false;
    const std::string_view site = request.header("Sec-Fetch-Site");
    if (!site.empty() && site != "same-origin" && site != "none") return false;
    if (!request.header("Origin").empty() && !is_own_page(request, proxies)) return false;
    if (request.peer == "unix") return true;
    const std::optional<Address> peer = read_endpoint(request.peer);
    return peer && peer->is_loopback() && is_localhost(host_name(request.header("Host")));
}

std::optional<Guard::Impl::Asker> Guard::Impl::identify(const std::string& secret, const std::string& customer,
                                                        Access access) {
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

void Guard::Impl::check_right(const Asker& asker, bool key_given, Access access) const {
    if (access == Access::key && asker.id.empty() && needs_keys())
        throw Problem(Kind::unauthorized, "Please contact the server operator to get an API key", "api_key");
    if (access != Access::admin || asker.admin) return;
    if (admin_hash.empty())
        throw Problem(Kind::forbidden,
                      "Only the operator may do this: on the machine of the service itself, or with a "
                      "key that may administer",
                      "admin");
    throw Problem(key_given ? Kind::forbidden : Kind::unauthorized, "This needs the admin key", "admin");
}

void Guard::Impl::check_limits(const Asker& asker, const std::string& customer) {
    if (!asker.limited) return;
    const std::string who = asker.id.empty() ? "address " + customer : "key " + asker.id;
    const std::vector<Window> own = {{asker.requests_per_minute, std::chrono::minutes(1), "minute"}};
    const std::vector<Window>& all = asker.requests_per_minute >= 0 ? own : windows;
    if (all[0].most < 0 && (all.size() == 1 || (all[1].most < 0 && all[2].most < 0))) return;
    if (const auto exceeded = limits.take(who, all, LimitClock::now()))
        throw Problem(Kind::too_many,
                      fmt::format("Slowdown: {} per 1 {}", exceeded->window.most, exceeded->window.name), "requests",
                      static_cast<int>(exceeded->wait.count()));
}

}  // namespace serve::guard
