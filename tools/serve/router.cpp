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

// Whether a query has a name. It is compared as it stands: names of routes need no escapes.
bool has_name(std::string_view query, std::string_view name) {
    while (!query.empty()) {
        const std::string_view one = query.substr(0, query.find('&'));
        if (one.substr(0, one.find('=')) == name) return true;
        query.remove_prefix(std::min(query.size(), one.size() + 1));
    }
    return false;
}

}  // namespace

// {name...} takes the rest of the path, with its slashes.
Router::Pattern Router::pattern_of(std::string_view path) {
    Pattern pattern;
    for (const std::string_view part : parts(path)) {
        const bool named = part.size() > 2 && part.front() == '{' && part.back() == '}';
        if (!named) pattern.push_back({Part::Kind::text, std::string(part)});
        else if (part.ends_with("...}"))
            pattern.push_back({Part::Kind::rest, std::string(part.substr(1, part.size() - 5))});
        else pattern.push_back({Part::Kind::parameter, std::string(part.substr(1, part.size() - 2))});
    }
    return pattern;
}

bool Router::fits(const Pattern& pattern, const std::vector<std::string_view>& given) {
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (i >= given.size()) return false;
        switch (pattern[i].kind) {
            case Part::Kind::text:
                if (pattern[i].text != given[i]) return false;
                break;
            case Part::Kind::parameter:
                if (given[i].empty()) return false;
                break;
            case Part::Kind::rest: return given.size() > i + 1 || !given[i].empty();
        }
    }
    return pattern.size() == given.size();
}

std::map<std::string, std::string> Router::parameters_of(const Pattern& pattern,
                                                         const std::vector<std::string_view>& given) {
    std::map<std::string, std::string> parameters;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i].kind == Part::Kind::text) continue;
        const bool takes_rest = pattern[i].kind == Part::Kind::rest;
        const char* end = takes_rest ? given.back().data() + given.back().size() : given[i].data() + given[i].size();
        parameters[pattern[i].text] = std::string(given[i].data(), end);
    }
    return parameters;
}

bool Router::takes_query(const Route& route, std::string_view query) {
    return !route.query_name || has_name(query, route.query_name);
}

void Router::add(Route route) {
    patterns_.push_back(pattern_of(route.path));
    routes_.push_back(std::move(route));
}

Router::Found Router::find(std::string_view method, std::string_view path, std::string_view query) const {
    if (method == "HEAD") method = "GET";
    const std::vector<std::string_view> given = parts(path);
    Found found;
    for (std::size_t i = 0; i < routes_.size(); ++i) {
        if (!fits(patterns_[i], given)) continue;
        if (!takes_query(routes_[i], query)) continue;
        found.text_in_path = found.text_in_path || routes_[i].text_in_path;
        if (routes_[i].method == method) {
            found.route = &routes_[i];
            found.parameters = parameters_of(patterns_[i], given);
            return found;
        }
        if (std::ranges::find(found.allowed, routes_[i].method) == found.allowed.end())
            found.allowed.push_back(routes_[i].method);
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
