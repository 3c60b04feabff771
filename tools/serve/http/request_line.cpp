// SPDX-License-Identifier: Apache-2.0
#include "serve/http/request_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "serve/ascii.h"
#include "serve/http/characters.h"
#include "serve/http/refusal.h"

namespace serve::http {
namespace {

int read_version(std::string_view text) {
    if (text == "HTTP/1.1") return 1;
    if (text == "HTTP/1.0") return 0;
    const bool other = text.size() == 8 && text.substr(0, 5) == "HTTP/" && is_digit(text[5]) && text[6] == '.' &&
                       is_digit(text[7]);
    if (other) throw Refusal(505, fmt::format("{} is not spoken here, HTTP/1.1 is", text));
    throw Refusal(400, fmt::format("the request's first line does not end in HTTP/1.1 but in \"{}\"", shown(text)));
}

void check_method(std::string_view method) {
    static constexpr std::array kServed{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"};
    if (!is_token(method)) throw Refusal(400, fmt::format("\"{}\" is no method", shown(method)));
    if (method == "CONNECT" || method == "TRACE") throw Refusal(405, fmt::format("{} is not allowed", method));
    if (std::find(kServed.begin(), kServed.end(), method) == kServed.end())
        throw Refusal(501, fmt::format("there is no method \"{}\"", shown(method)));
}

// Takes the scheme and the authority from the front of a target in absolute form.
std::string take_authority(std::string_view& target) {
    const std::size_t colon = target.find("://");
    const std::string_view scheme = target.substr(0, colon);
    if (colon == std::string_view::npos || !(same_in_any_case(scheme, "http") || same_in_any_case(scheme, "https")))
        throw Refusal(400, fmt::format("\"{}\" is no target of a request: it has to begin with '/'", shown(target)));
    target.remove_prefix(colon + 3);
    const std::size_t end = std::min(target.find_first_of("/?"), target.size());
    std::string authority(target.substr(0, end));
    if (!is_authority(authority)) throw Refusal(400, fmt::format("\"{}\" is no host", shown(authority)));
    target.remove_prefix(end);
    return authority;
}

}  // namespace

bool is_authority(std::string_view text) {
    std::size_t end = 0;
    if (!text.empty() && text[0] == '[') {
        end = text.find(']');
        if (end == std::string_view::npos || end < 3) return false;
        const std::string_view address = text.substr(1, end - 1);
        const auto is_part = [](char c) { return hex_value(c) >= 0 || c == ':' || c == '.'; };
        if (!std::all_of(address.begin(), address.end(), is_part) || address.find(':') == std::string_view::npos)
            return false;
        ++end;
    } else {
        const auto is_part = [](char c) { return is_digit(c) || is_letter(c) || c == '-' || c == '.' || c == '_'; };
        while (end < text.size() && is_part(text[end])) ++end;
        if (end == 0 || end > 255) return false;
    }
    if (end == text.size()) return true;
    const std::string_view port = text.substr(end + 1);
    if (text[end] != ':' || port.empty() || port.size() > 5 || !std::all_of(port.begin(), port.end(), is_digit))
        return false;
    return std::stoi(std::string(port)) <= 65'535;
}

std::string read_path(std::string_view path, std::string* fault) {
    std::string result;
    result.reserve(path.size());
    for (std::size_t at = 0; at < path.size(); ++at) {
        char c = path[at];
        const bool escaped = c == '%';
        if (escaped) {
            const int high = at + 2 < path.size() ? hex_value(path[at + 1]) : -1;
            const int low = at + 2 < path.size() ? hex_value(path[at + 2]) : -1;
            if (high < 0 || low < 0)
                throw Refusal(400, fmt::format("the path has a broken escape: \"{}\"", shown(path.substr(at, 3))));
            c = static_cast<char>(high * 16 + low);
            at += 2;
        }
        const char* const why = is_control(c) ? "the path has a control character"
                                : c == '\\' || (escaped && c == '/')
                                    ? "the path has a slash that is escaped or a backslash"
                                    : nullptr;
        if (why && !(escaped && fault)) throw Refusal(400, why);
        if (why) {
            *fault = why;
            result += path.substr(at - 2, 3);
        } else {
            result += c;
        }
    }
    if (!is_utf8(result)) throw Refusal(400, "the path is not valid UTF-8");
    for (std::size_t at = 0; at != std::string::npos;) {
        const std::size_t next = result.find('/', at);
        const std::string_view part = std::string_view(result).substr(at, next == std::string::npos ? next : next - at);
        if (part == "..") throw Refusal(400, "the path has a part \"..\"");
        at = next == std::string::npos ? next : next + 1;
    }
    return result;
}

RequestLine read_request_line(std::string_view line) {
    const std::size_t first = line.find(' ');
    const std::size_t last = line.rfind(' ');
    if (first == std::string_view::npos || first == 0 || last == first)
        throw Refusal(400, "the request's first line is not METHOD TARGET HTTP/1.1");
    RequestLine result;
    result.minor = read_version(line.substr(last + 1));
    result.method = line.substr(0, first);
    check_method(result.method);
    std::string_view target = line.substr(first + 1, last - first - 1);
    const auto is_wrong = [](char c) { return c == ' ' || is_control(c) || c == '#'; };
    if (std::any_of(target.begin(), target.end(), is_wrong))
        throw Refusal(400, "the request's target has a blank, a control character or a '#'");
    // Bytes beyond ASCII are against the letter, but what people type into curl has them, and they mean one thing only.
    if (!is_utf8(target)) throw Refusal(400, "the request's target is not valid UTF-8");
    if (target == "*") {
        if (result.method != "OPTIONS") throw Refusal(400, "the target \"*\" is for OPTIONS only");
        result.target = result.path = "*";
        return result;
    }
    if (target.empty() || target[0] != '/') result.authority = take_authority(target);
    result.target = target.empty() || target[0] != '/' ? "/" + std::string(target) : std::string(target);
    const std::size_t question = result.target.find('?');
    result.path = read_path(std::string_view(result.target).substr(0, question), &result.path_fault);
    if (question != std::string::npos) result.query = result.target.substr(question + 1);
    return result;
}

}  // namespace serve::http
