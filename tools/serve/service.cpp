// SPDX-License-Identifier: Apache-2.0
#include "serve/service.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "serve/api/api.h"
#include "serve/ascii.h"
#include "serve/fields.h"
#include "serve/guarded_exchange.h"
#include "serve/http/form.h"

namespace serve {
namespace {

using Kind = Problem::Kind;

constexpr std::uint64_t kMostFiles = 16;  // files of the greatest size that lie in uploads at a time

Problem no_route(const http::Request& request, const Router::Found& found) {
    if (found.allowed.empty()) return Problem(Kind::not_found, fmt::format("{} is not known here", request.path));
    return Problem(Kind::method,
                   fmt::format("{} takes {}, not {}", request.path, fmt::join(found.allowed, ", "), request.method));
}

// The first part of a path tells whose interface was meant: "/v2/nothing" is DeepL's.
ErrorForm form_of(const Router& router, const http::Request& request) {
    const std::string_view path = request.path, first = path.substr(0, path.find('/', 1));
    for (const Route& route : router.routes())
        if (first.size() > 1 && route.path.starts_with(first) && Router::takes_query(route, request.query) &&
            (route.path.size() == first.size() || route.path[first.size()] == '/'))
            return route.error;
    return nullptr;
}

http::Response no_route_response(const Router& router, const http::Request& request, const Router::Found& found,
                                 bool has_page) {
    if (has_page && found.allowed.empty() && api::wants_page(request)) return api::page_not_found(request);
    http::Response response = problem_response(no_route(request, found), form_of(router, request));
    if (!found.allowed.empty())
        response.headers.push_back({"Allow", fmt::format("{}", fmt::join(found.allowed, ", "))});
    return response;
}

// The text at the end of a path is taken from the target as it came: an escaped slash is one of the text, and was never
// one between parts of the path.
void read_text_in_path(Call& call, const Route& route) {
    const auto slashes = [](std::string_view text) { return std::ranges::count(text, '/'); };
    const http::Request& request = call.request();
    const std::size_t begin = route.path.rfind('{');
    std::string_view rest = std::string_view(request.target).substr(0, request.target.find('?'));
    // With those of --api-prefix, which the path does not have any more.
    for (auto left = slashes(rest) - slashes(request.path) + slashes(std::string_view(route.path).substr(0, begin));
         left > 0; --left)
        rest.remove_prefix(rest.find('/') + 1);
    const std::string name = route.path.substr(begin + 1, route.path.size() - begin - 5);  // of "{name...}"
    call.parameters[name] = http::percent_decoded(rest, false);
}

// A packed body would be read as what it is not.
void check_coding(const http::Request& head) {
    for (const http::Header& header : head.headers)
        if (same_in_any_case(header.name, "Content-Encoding") && !same_in_any_case(header.value, "identity"))
            throw Problem(Kind::unsupported_type,
                          fmt::format("Content-Encoding is \"{}\"; bodies are taken as they are", header.value),
                          "Content-Encoding");
}

Kind kind_of(int status) {
    switch (status) {
        case 403: return Kind::forbidden;
        case 404: return Kind::not_found;
        case 405: return Kind::method;
        case 413: return Kind::too_large;
        case 415: return Kind::unsupported_type;
        case 429: return Kind::too_many;
        case 500: return Kind::failed;
        case 501: return Kind::unsupported;
        case 503: return Kind::busy;
        default: return Kind::bad_request;
    }
}

}  // namespace

http::Admission Service::admit(const http::Request& head) {
    const Router::Found found = router_.find(head.method, head.path, head.query);
    http::Admission admission;
    admission.text_in_path = found.text_in_path;
    const auto refuse = [&](http::Response response) {
        services_.guard.finish(head, response);
        admission.refusal = std::move(response);
    };
    if (std::optional<http::Response> answer = services_.guard.before(head)) {
        refuse(std::move(*answer));
        return admission;
    }
    if (!found.route) {
        refuse(no_route_response(router_, head, found, services_.page_allowed));
        return admission;
    }
    try {
        check_head(head, found, admission);
    } catch (const Problem& problem) {
        refuse(problem_response(problem, found.route->error));
    }
    return admission;
}

void Service::check_head(const http::Request& head, const Router::Found& found, http::Admission& admission) {
    if (found.route->body != Body::none) check_coding(head);
    switch (found.route->body) {
        case Body::none: break;
        case Body::memory: admission.max_body_bytes = services_.max_body_bytes; break;
        case Body::file: check_sender(head, found, admission); break;
    }
}

// Who has no right to send a file is told so before it, and those whose key comes with it have half of the room, so that
// strangers take no file away from others.
void Service::check_sender(const http::Request& head, const Router::Found& found, http::Admission& admission) {
    const bool known = services_.guard.knows(head, *found.route);
    if (found.route->check_head) found.route->check_head(head, found.parameters);
    admission.max_body_bytes = services_.max_file_bytes;
    admission.to_file = true;
    const std::uint64_t files = known ? kMostFiles : kMostFiles / 2;
    admission.max_files_bytes = std::min(services_.max_file_bytes, UINT64_MAX / files) * files;
}

void Service::run(const Route& route, Call& call) {
    read_fields(call, services_.uploads);
    call.account = services_.guard.enter(call.request(), route, call.fields);
    route.handler(call);
}

void Service::handle(std::shared_ptr<http::Exchange> exchange) {
    Call call;
    const auto guarded = std::make_shared<GuardedExchange>(std::move(exchange), services_.guard);
    call.exchange = guarded;
    call.charge = guarded->charge();
    Router::Found found = router_.find(call.request().method, call.request().path, call.request().query);
    if (!found.route)
        return call.exchange->send(no_route_response(router_, call.request(), found, services_.page_allowed));
    call.parameters = std::move(found.parameters);
    if (found.route->text_in_path) read_text_in_path(call, *found.route);
    services_.answered(*call.exchange, found.route->error, [&] { run(*found.route, call); });
    std::error_code none;  // what the handler wanted it has moved away
    for (const http::Upload& upload : call.uploads) std::filesystem::remove(upload.path, none);
}

http::Response Service::problem(const http::Request& head, int status, const std::string& message) {
    const Router::Found found = router_.find(head.method, head.path, head.query);
    http::Response response = problem_response(Problem(kind_of(status), message),
                                               found.route ? found.route->error : form_of(router_, head));
    response.status = status;
    services_.guard.finish(head, response);
    return response;
}

void Service::finished(const http::Request& request, int status, std::uint64_t sent_bytes,
                       std::chrono::nanoseconds taken) {
    const Router::Found found = router_.find(request.method, request.path, request.query);
    const std::string endpoint = found.route ? found.route->path : "unknown";
    services_.metrics.finished(endpoint, request.method, status, taken, sent_bytes);
    // The rest of a path may be a text to translate.
    const bool has_text = endpoint.ends_with("...}") && !services_.log_texts;
    services_.log.write(watch::LogLevel::info, "request",
                        {{"request", request.id},
                         {"client", services_.guard.client_address(request)},
                         {"method", request.method},
                         {"path", has_text ? endpoint : request.path},
                         {"status", status},
                         {"received", request.body_bytes},
                         {"sent", sent_bytes},
                         {"seconds", std::chrono::duration<double>(taken).count()}});
}

void Service::fault(const http::Request* request, const std::string& what) {
    services_.log.write(watch::LogLevel::error, "a request failed",
                        {{"request", request ? request->id : ""}, {"why", what}});
}

}  // namespace serve
