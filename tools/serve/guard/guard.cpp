// SPDX-License-Identifier: Apache-2.0
#include "serve/guard/guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "serve/ascii.h"
#include "serve/guard/clock.h"
#include "serve/guard/guard_impl.h"
#include "serve/guard/headers.h"
#include "serve/guard/secrets.h"
#include "serve/http/form.h"

namespace serve::guard {
namespace {

using Kind = Problem::Kind;

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

// "Authorization: KEY" has no blank. What has one is of another scheme: "Basic dXNlcjpwYXNz", for a proxy.
bool is_key(std::string_view key, const KeyHeader& header) {
    const bool bare = *header.before == '\0' && same_in_any_case(header.name, "Authorization");
    return !key.empty() && (!bare || key.find(' ') == std::string_view::npos);
}

std::string key_in(const Json& fields, const Route& route) {
    for (const char* name : route.key_fields)
        if (const auto field = fields.find(name); field != fields.end() && field->is_string())
            if (std::string key = field->get<std::string>(); !key.empty()) return key;
    return {};
}

// A body that is a list has no fields.
std::string key_in(const http::FormFields& query, const Route& route) {
    for (const char* name : route.key_fields)
        for (const auto& [each, key] : query)
            if (each == name && !key.empty()) return key;
    return {};
}

std::string key_given(const http::Request& request, const Route& route, const Json& fields) {
    if (const auto key = key_of(request.header("Authorization"), "Bearer "); !key.empty()) return std::string(key);
    for (const KeyHeader& header : route.key_headers)
        if (const auto key = key_of(request.header(header.name), header.before); is_key(key, header))
            return std::string(key);
    return fields.is_object() ? key_in(fields, route) : key_in(http::read_urlencoded(request.query), route);
}

}  // namespace

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
    impl_->check_right(asker, !secret.empty(), route.access);
    if (route.limited) impl_->check_limits(asker, customer);
    account.owner = asker.id;
    account.admin = asker.admin;
    const std::int64_t most = asker.max_characters >= 0 ? asker.max_characters : impl_->options.max_characters;
    account.max_characters = most > 0 ? static_cast<std::uint64_t>(most) : 0;
    return account;
}

bool Guard::knows(const http::Request& head, const Route& route) {
    if (route.access == Access::open || !impl_->needs_keys()) return true;
    const std::string secret = key_given(head, route, Json::object());
    if (secret.empty() && !route.key_fields.empty()) return false;
    Impl::Asker asker =
        impl_->identify(secret, customer_of(client_address(head)), route.access).value_or(Impl::Asker{});
    if (impl_->is_operator(head)) asker.admin = true;
    impl_->check_right(asker, !secret.empty(), route.access);
    return true;
}

void Guard::Impl::find_quota(const std::string& owner) {
    {
        const std::lock_guard lock(mutex);
        if (quotas.contains(owner)) return;
    }
    const std::optional<Key> key = keys && !owner.empty() ? keys->get(owner) : std::nullopt;
    if (!key) return;
    const std::lock_guard lock(mutex);
    quotas.emplace(owner, key->characters_per_month);
}

void Guard::Impl::count_other(const std::string& owner, std::uint64_t characters) {
    auto& [month, count] = others[owner];
    const std::string now = month_of(std::chrono::system_clock::now());
    if (month != now) month = now, count = 0;
    count += characters;
}

namespace {

// Of a key with a quota, or without (below 0).
void check_left(std::int64_t quota, std::uint64_t used, std::uint64_t characters) {
    if (quota < 0 || used + characters <= static_cast<std::uint64_t>(quota)) return;
    throw Problem(Kind::quota,
                  fmt::format("Quota exceeded: {} of {} characters of this month are used, {} more are asked for", used,
                              quota, characters),
                  "characters");
}

}  // namespace

void Guard::charge(const Account& account, std::uint64_t characters) {
    const std::lock_guard lock(impl_->mutex);
    const auto quota = impl_->quotas.find(account.owner);
    if (quota == impl_->quotas.end()) return impl_->count_other(account.owner, characters);
    check_left(quota->second, impl_->keys->used(account.owner), characters);
    impl_->keys->use(account.owner, characters);
}

void Guard::give_back(const std::string& owner, std::uint64_t characters) {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->quotas.contains(owner)) return impl_->keys->give_back(owner, characters);
    const auto other = impl_->others.find(owner);
    if (other != impl_->others.end()) other->second.second -= std::min(characters, other->second.second);
}

void Guard::check_quota(const std::string& owner, const std::string& document) {
    impl_->find_quota(owner);
    const auto [used, limit] = usage(owner);
    if (!limit || used < *limit) return;
    if (!document.empty() && impl_->keys->has_charged(document)) return;
    throw Problem(Kind::quota, fmt::format("Quota exceeded: {} of {} characters of this month are used", used, *limit),
                  "characters");
}

void Guard::charge_document(const std::string& owner, const std::string& document, std::uint64_t characters) {
    impl_->find_quota(owner);
    if (impl_->keys && impl_->keys->has_charged(document)) return;
    {
        const std::lock_guard lock(impl_->mutex);
        const auto quota = impl_->quotas.find(owner);
        if (quota == impl_->quotas.end()) return impl_->count_other(owner, characters);
        check_left(quota->second, impl_->keys->used(owner), characters);
        impl_->keys->reserve(owner, characters);
    }
    impl_->keys->charge(owner, document, characters);
}

void Guard::forget_document(const std::string& document) {
    if (impl_->keys) impl_->keys->forget_document(document);
}

void Guard::finish(const http::Request& request, http::Response& response) const {
    add_origin(request, impl_->origins, response);
    add_security_headers(response, impl_->options.hsts && is_secure(request));
    if (response.status == 401) response.headers.push_back({"WWW-Authenticate", "Bearer"});
}

std::string Guard::client_address(const http::Request& request) const { return impl_->proxies.client(request); }

bool Guard::is_secure(const http::Request& request) const { return impl_->proxies.secure(request); }

bool Guard::keys_needed() const { return impl_->needs_keys(); }

std::int64_t Guard::max_characters() const { return impl_->options.max_characters; }

Keys* Guard::keys() { return impl_->keys.get(); }

Usage Guard::usage(const std::string& owner) const {
    const std::lock_guard lock(impl_->mutex);
    if (const auto quota = impl_->quotas.find(owner); quota != impl_->quotas.end()) {
        Usage usage{impl_->keys->used(owner), {}};
        if (quota->second >= 0) usage.limit = static_cast<std::uint64_t>(quota->second);
        return usage;
    }
    const auto other = impl_->others.find(owner);
    const bool known = other != impl_->others.end() &&
                       other->second.first == month_of(std::chrono::system_clock::now());
    return {known ? other->second.second : 0, {}};
}

}  // namespace serve::guard
