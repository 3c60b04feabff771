// SPDX-License-Identifier: Apache-2.0
#include "serve/api/own/own.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <utility>

#include "serve/api/api.h"
#include "serve/api/own/events.h"
#include "serve/api/own/jobs.h"
#include "serve/api/own/worker.h"

namespace serve::api {

const char* own_code(Problem::Kind kind) {
    switch (kind) {
        case Problem::Kind::bad_request: return "bad_request";
        case Problem::Kind::missing: return "missing_field";
        case Problem::Kind::unsupported_language: return "unsupported_language";
        case Problem::Kind::unsupported_pair: return "unsupported_pair";
        case Problem::Kind::unauthorized: return "unauthorized";
        case Problem::Kind::forbidden: return "forbidden";
        case Problem::Kind::not_found: return "not_found";
        case Problem::Kind::method: return "method_not_allowed";
        case Problem::Kind::gone_by: return "conflict";
        case Problem::Kind::too_large: return "too_large";
        case Problem::Kind::unsupported_type: return "unsupported_type";
        case Problem::Kind::too_many: return "too_many_requests";
        case Problem::Kind::quota: return "quota_exceeded";
        case Problem::Kind::failed: return "failed";
        case Problem::Kind::unsupported: return "unsupported";
        case Problem::Kind::busy: return "busy";
        case Problem::Kind::cancelled: return "cancelled";
    }
    return "failed";
}

http::Response own_error(const Problem& problem) {
    Json error{{"code", own_code(problem.kind)}, {"message", problem.what()}};
    if (!problem.thing.empty()) error["field"] = problem.thing;
    http::Response response;
    response.status = http_status(problem.kind);
    response.body = Json{{"error", std::move(error)}}.dump(-1, ' ', false, Json::error_handler_t::replace);
    return response;
}

Route own_route(const char* method, const char* path, std::function<void(Call&)> handler, Access access, Body body) {
    Route route;
    route.method = method;
    route.path = path;
    route.handler = std::move(handler);
    route.error = own_error;
    route.access = access;
    route.body = body;
    route.limited = access == Access::key;
    return route;
}

http::Response own_nothing() {
    http::Response response;
    response.status = 204;
    response.content_type.clear();
    return response;
}

bool own_is_form(const http::Request& request) {
    const std::string type = request.content_type();
    return type == "multipart/form-data" || type == "application/x-www-form-urlencoded" || type == "application/json";
}

Json own_time(std::chrono::system_clock::time_point time) {
    if (time == std::chrono::system_clock::time_point()) return nullptr;
    using namespace std::chrono;
    const auto day = floor<days>(time);
    const year_month_day date(day);
    const hh_mm_ss clock(floor<seconds>(time - day));
    char text[32];
    std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ", int(date.year()), unsigned(date.month()),
                  unsigned(date.day()), int(clock.hours().count()), int(clock.minutes().count()),
                  int(clock.seconds().count()));
    return text;
}

double own_number(double value) {
    constexpr double kDigits = 1e6;
    return std::round(value * kDigits) / kDigits;
}

double own_exact(float value) {
    std::array<char, 32> text{};
    double exact = 0;
    const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
    std::from_chars(text.data(), written.ptr, exact);
    return exact;
}

Problem own_problem(const dragoman::Error& error) {
    switch (error.status()) {
        case DRAGOMAN_INVALID_ARGUMENT: return {Problem::Kind::bad_request, error.what()};
        case DRAGOMAN_UNSUPPORTED: return {Problem::Kind::unsupported, error.what()};
        case DRAGOMAN_CANCELLED: return {Problem::Kind::cancelled, error.what()};
        case DRAGOMAN_OUT_OF_MEMORY: return {Problem::Kind::busy, error.what(), "", 5};
        default: return {Problem::Kind::failed, error.what()};
    }
}

std::string own_needed(const Json& fields, const char* name) {
    if (!has(fields, name)) throw Problem(Problem::Kind::missing, std::string(name) + " is missing", name);
    return text(fields, name);
}

Texts own_texts(const Json& fields, const char* name) {
    auto found = texts(fields, name);
    if (!found) throw Problem(Problem::Kind::missing, std::string(name) + " is missing", name);
    return std::move(*found);
}

void own_charge(Services& services, const Account& account, const std::vector<std::string>& texts, const char* field) {
    std::uint64_t characters = 0;
    const work::TranslationsOptions& limits = services.translations.options();
    if (texts.size() > limits.most_texts)
        throw Problem(Problem::Kind::bad_request,
                      std::string(field) + ": " + std::to_string(texts.size()) + " texts, at most " +
                          std::to_string(limits.most_texts) + " in one request",
                      field);
    const std::uint64_t own = account.max_characters;
    const std::uint64_t most = own > 0 ? own : limits.most_characters;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::size_t count = count_characters(texts[i], field);
        if (most > 0 && count > most)
            throw Problem(Problem::Kind::bad_request,
                          std::string(field) + ": text " + std::to_string(i) + " has " + std::to_string(count) +
                              " characters, at most " + std::to_string(most) + " are allowed",
                          field);
        characters += count;
    }
    services.guard.charge(account, characters);
}

void add_own(Router& router, Services& services) {
    const OwnParts parts{services, std::make_shared<OwnEvents>(), std::make_shared<OwnWorker>(),
                         std::make_shared<OwnJobs>(services.models)};
    add_own_translate(router, parts);
    add_own_languages(router, parts);
    add_own_models(router, parts);
    add_own_registry(router, parts);
    add_own_vectors(router, parts);
    add_own_tokens(router, parts);
    add_own_documents(router, parts);
    add_own_glossaries(router, parts);
    add_own_memories(router, parts);
    add_own_info(router, parts);
}

}  // namespace serve::api
