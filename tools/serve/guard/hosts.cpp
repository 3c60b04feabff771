// SPDX-License-Identifier: Apache-2.0
#include "serve/guard/hosts.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "serve/ascii.h"
#include "serve/guard/address.h"

namespace serve::guard {
namespace {

bool is_port(std::string_view text) {
    return text.size() <= 5 && std::ranges::all_of(text, [](char each) { return each >= '0' && each <= '9'; });
}

bool is_name(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char each) {
        return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') || each == '-' || each == '.' ||
               each == '_';
    });
}

// Where name and port of a host part; nothing: it is none.
struct Parts {
    std::string name, port;
};
std::optional<Parts> parts_of(std::string_view host) {
    if (host.starts_with('[')) {
        const std::size_t end = host.find(']');
        const std::optional<Address> address = read_endpoint(host);
        if (!address || !is_port(host.substr(std::min(end + 2, host.size())))) return {};
        return Parts{address->text(), std::string(host.substr(std::min(end + 2, host.size())))};
    }
    const std::size_t colon = host.find(':');
    const std::string_view port = colon == std::string_view::npos ? "" : host.substr(colon + 1);
    std::string name = in_small_letters(host.substr(0, colon));
    if (name.ends_with('.')) name.pop_back();
    if (!is_name(name) || !is_port(port)) return {};
    return Parts{std::move(name), std::string(port)};
}

}  // namespace

std::string host_name(std::string_view host) {
    const std::optional<Parts> parts = parts_of(host);
    return parts ? parts->name : std::string();
}

std::string host_port(std::string_view host) {
    const std::optional<Parts> parts = parts_of(host);
    return parts ? parts->port : std::string();
}

bool is_localhost(std::string_view name) {
    if (name == "localhost" || name.ends_with(".localhost")) return true;
    const std::optional<Address> address = read_address(name);
    return address && address->is_loopback();
}

Hosts::Hosts(const std::vector<std::string>& names) {
    for (const std::string& each : names) {
        if (each == "*") {
            all_ = true;
            continue;
        }
        if (read_address(each) || each.starts_with("unix:")) continue;  // is served anyway
        const bool below = each.starts_with("*.");
        const std::string name = host_name(below ? std::string_view(each).substr(2) : std::string_view(each));
        if (name.empty())
            throw std::runtime_error(fmt::format("--allow-host {}: a name, *.NAME or * is expected", each));
        names_.push_back((below ? "*." : "") + name);
    }
}

bool Hosts::allows(std::string_view host) const {
    if (all_) return true;
    const std::string name = host_name(host);
    if (name.empty()) return false;
    if (is_localhost(name) || read_address(name)) return true;
    return std::ranges::any_of(names_, [&](const std::string& each) {
        return name == each || (each.starts_with("*.") && name.ends_with(std::string_view(each).substr(1)));
    });
}

}  // namespace serve::guard
