// SPDX-License-Identifier: Apache-2.0
#include "serve/router.h"

#include <algorithm>

namespace serve {
namespace {

// The parts of a path between its slashes; the first, which is empty, left out.
std::vector<std::string_view> parts(std::string_view path) {
    std::vector<std::string_view> found;
    while (!path.empty()) {
        path.remove_prefix(1);
        const std::size_t slash = path.find('/');
        found.push_back(path.substr(0, slash));
        if (slash == std::string_view::npos) break;
        path.remove_prefix(slash);
    }
    return found;
}

bool is_parameter(std::string_view part) { return part.size() > 2 && part.front() == '{' && part.back() == '}'; }

// {name...} takes the rest of the path, with its slashes.
bool takes_rest(std::string_view part) { return is_parameter(part) && part.ends_with("...}"); }

bool fits(std::string_view pattern, std::string_view path, std::map<std::string, std::string>& parameters) {
    const std::vector<std::string_view> wanted = parts(pattern), given = parts(path);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (i >= given.size()) return false;
        if (takes_rest(wanted[i])) {
            const std::string_view rest(given[i].data(), static_cast<std::size_t>(path.end() - given[i].begin()));
            if (rest.empty()) return false;
            parameters[std::string(wanted[i].substr(1, wanted[i].size() - 5))] = rest;
            return true;
        }
        if (is_parameter(wanted[i])) {
            if (given[i].empty()) return false;
            parameters[std::string(wanted[i].substr(1, wanted[i].size() - 2))] = given[i];
        } else if (wanted[i] != given[i]) {
            return false;
        }
    }
    return wanted.size() == given.size();
}

}  // namespace

void Router::add(Route route) { routes_.push_back(std::move(route)); }

Router::Found Router::find(std::string_view method, std::string_view path) const {
    if (method == "HEAD") method = "GET";
    Found found;
    for (const Route& route : routes_) {
        std::map<std::string, std::string> parameters;
        if (!fits(route.path, path, parameters)) continue;
        if (route.method == method) {
            found.route = &route;
            found.parameters = std::move(parameters);
            return found;
        }
        if (std::ranges::find(found.allowed, route.method) == found.allowed.end())
            found.allowed.push_back(route.method);
    }
    return found;
}

http::Response plain_error(const Problem& problem) {
    http::Response response;
    response.status = http_status(problem.kind);
    response.body = Json{{"error", problem.what()}}.dump(-1, ' ', false, Json::error_handler_t::replace);
    return response;
}

http::Response problem_response(const Problem& problem, ErrorForm form) {
    http::Response response = form ? form(problem) : plain_error(problem);
    if (problem.retry_after > 0) response.headers.push_back({"Retry-After", std::to_string(problem.retry_after)});
    return response;
}

void send_problem(http::Exchange& exchange, const Problem& problem, ErrorForm form) {
    if (problem.kind == Problem::Kind::cancelled && exchange.gone()) return;
    exchange.send(problem_response(problem, form));
}

}  // namespace serve
