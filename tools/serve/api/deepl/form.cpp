// SPDX-License-Identifier: Apache-2.0
#include "serve/api/deepl/form.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "serve/fields.h"
#include "serve/guard/clock.h"

namespace serve::api {
namespace {

using DeeplKind = Problem::Kind;

// DeepL's statuses; its clients try again after 429 and everything from 500 on.
int deepl_status(DeeplKind kind) {
    switch (kind) {
        case DeeplKind::unauthorized: return 403;
        case DeeplKind::quota: return 456;
        case DeeplKind::unsupported:
        case DeeplKind::unsupported_type: return 400;
        default: return http_status(kind);
    }
}

bool deepl_is_region(std::string_view part) {
    const auto all = [&](auto test) { return std::ranges::all_of(part, test); };
    return (part.size() == 2 && all([](unsigned char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; })) ||
           (part.size() == 3 && all([](unsigned char c) { return c >= '0' && c <= '9'; }));
}

std::string deepl_served(const Services& services, const std::string& given) {
    std::string tag = services.models.language(given);
    const std::size_t dash = given.find_last_of("-_");
    if (tag.empty() && dash != std::string::npos && deepl_is_region(std::string_view(given).substr(dash + 1)))
        tag = services.models.language(given.substr(0, dash));
    return tag;
}

}  // namespace

http::Response deepl_error(const Problem& problem) {
    Json body{{"message", problem.what()}};
    if (!problem.thing.empty()) body["detail"] = problem.thing;
    return json_response(body, deepl_status(problem.kind));
}

void deepl_add(Router& router, DeeplRoute given) {
    Route route;
    route.method = given.method;
    route.path = given.path;
    route.handler = std::move(given.handler);
    route.error = deepl_error;
    route.access = given.access;
    route.body = given.body;
    route.key_headers = {{"Authorization", "DeepL-Auth-Key "}};
    route.key_fields = {"auth_key"};
    route.limited = given.limited;
    route.check_head = std::move(given.check_head);
    router.add(std::move(route));
}

std::string deepl_upper(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
    return result;
}

std::string deepl_code(std::string_view tag) { return tag == "no" ? "NB" : deepl_upper(tag); }

std::string deepl_base(std::string_view tag) {
    const std::string_view base = tag.substr(0, tag.find('-'));
    return base == "no" ? "nb" : std::string(base);
}

std::string deepl_name(std::string_view name) { return std::string(name.substr(0, name.find(" ("))); }

std::string deepl_language(const Services& services, const Json& fields, const char* field) {
    const std::string given = text(fields, field);
    if (given.empty()) throw Problem(DeeplKind::missing, fmt::format("Parameter '{}' not specified.", field), field);
    std::string tag = deepl_served(services, given);
    if (tag.empty())
        throw Problem(DeeplKind::unsupported_language, fmt::format("Value for '{}' not supported: {}", field, given),
                      given);
    return tag;
}

std::string deepl_optional_language(const Services& services, const Json& fields, const char* field) {
    return text(fields, field).empty() ? std::string() : deepl_language(services, fields, field);
}

std::vector<std::string> deepl_list(const Json& fields, std::string_view name) {
    std::vector<std::string> found;
    const std::optional<Texts> given = texts(fields, name);
    if (!given) return found;
    for (const std::string& value : given->values)
        for (std::size_t begin = 0; begin <= value.size();) {
            const std::size_t comma = std::min(value.find(',', begin), value.size());
            const std::string_view part = std::string_view(value).substr(begin, comma - begin);
            const std::size_t first = part.find_first_not_of(" \t\r\n");
            if (first != std::string_view::npos)
                found.emplace_back(part.substr(first, part.find_last_not_of(" \t\r\n") - first + 1));
            begin = comma + 1;
        }
    return found;
}

std::string deepl_time(std::chrono::system_clock::time_point time) {
    const auto micros =
        std::chrono::floor<std::chrono::microseconds>(time - std::chrono::floor<std::chrono::seconds>(time));
    std::string text = guard::iso_time(time);
    text.pop_back();
    return fmt::format("{}.{:06}Z", text, micros.count());
}

}  // namespace serve::api
