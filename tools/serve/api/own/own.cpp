// SPDX-License-Identifier: Apache-2.0
#include "serve/api/own/own.h"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "serve/api/api.h"
#include "serve/api/own/events.h"
#include "serve/api/own/jobs.h"
#include "serve/guard/clock.h"

namespace serve::api {
namespace {

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

}  // namespace

Json own_error_json(const Problem& problem) {
    Json error{{"code", own_code(problem.kind)}, {"message", problem.what()}};
    if (!problem.thing.empty()) error["field"] = problem.thing;
    return {{"error", std::move(error)}};
}

http::Response own_error(const Problem& problem) {
    return json_response(own_error_json(problem), http_status(problem.kind));
}

Route own_route(const char* method, std::string path, std::function<void(Call&)> handler, Access access, Body body) {
    Route route;
    route.method = method;
    route.path = std::move(path);
    route.handler = std::move(handler);
    route.error = own_error;
    route.access = access;
    route.body = body;
    route.limited = access == Access::key;
    return route;
}

bool own_is_form(const http::Request& request) {
    const std::string type = request.content_type();
    return type == "multipart/form-data" || type == "application/x-www-form-urlencoded" || type == "application/json";
}

Json own_time(std::chrono::system_clock::time_point time) {
    return time == std::chrono::system_clock::time_point() ? Json(nullptr) : Json(guard::iso_time(time));
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

void add_own(Router& router, Services& services) {
    const OwnParts parts{services, std::make_shared<OwnEvents>(), std::make_shared<work::Worker>(),
                         std::make_shared<OwnJobs>([&models = services.models](const std::string& model,
                                                                               const auto& progress) {
                             models.add(model, progress);
                         })};
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
