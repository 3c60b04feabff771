// SPDX-License-Identifier: Apache-2.0
#include "download/answer.h"

#include <curl/curl.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <limits>

#include "base/error.h"

namespace dragoman::download {
namespace {

std::optional<uint64_t> whole_number(std::string_view text) {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(kBlank);
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

int64_t unix_seconds() {
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

std::string times(int tried) { return tried > 1 ? fmt::format(" ({} tries)", tried) : std::string(); }

}  // namespace

void Answer::add_line(std::string_view line) {
    line = trimmed(line);
    if (line.starts_with("HTTP/")) {
        headers.clear();
        const std::size_t space = line.find(' ');
        status = space == line.npos ? 0 : static_cast<int>(whole_number(line.substr(space + 1, 3)).value_or(0));
        return;
    }
    const std::size_t colon = line.find(':');
    if (colon == line.npos) return;
    std::string name(line.substr(0, colon));
    for (char& c : name)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    headers[name] = trimmed(line.substr(colon + 1));
}

std::string Answer::header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
}

std::optional<uint64_t> Answer::length() const {
    if (headers.contains("transfer-encoding")) return std::nullopt;
    return whole_number(header("content-length"));
}

std::optional<double> Answer::retry_after(int64_t now) const {
    const std::string text = header("retry-after");
    if (text.empty()) return std::nullopt;
    if (const auto seconds = whole_number(text)) return static_cast<double>(*seconds);
    const auto date = static_cast<int64_t>(curl_getdate(text.c_str(), nullptr));
    if (date < 0) return std::nullopt;
    // The server's own clock, where it says so: this machine's may be years away.
    const auto sent = static_cast<int64_t>(curl_getdate(header("date").c_str(), nullptr));
    return static_cast<double>(std::max<int64_t>(0, date - (sent < 0 ? now : sent)));
}

bool Answer::redirects() const {
    return (status == 301 || status == 302 || status == 303 || status == 307 || status == 308) &&
           headers.contains("location");
}

bool Answer::may_pass() const { return status == 408 || status == 425 || status == 429 || status >= 500; }

ContentRange ContentRange::parse(const std::string& header) {
    ContentRange range;
    std::string_view text = trimmed(header);
    if (!text.starts_with("bytes")) return range;
    text = trimmed(text.substr(5));
    const std::size_t slash = text.find('/');
    if (slash == text.npos) return range;
    range.total = whole_number(trimmed(text.substr(slash + 1)));
    const std::string_view places = text.substr(0, slash);
    if (const std::size_t dash = places.find('-'); dash != places.npos)
        range.begin = whole_number(places.substr(0, dash));
    return range;
}

void refuse_answer(const Request& request, const Url& url, const Answer& answer, int tried) {
    const std::string head = fmt::format("{}: the server answered {}{}", url.shown(), answer.status, times(tried));
    switch (answer.status) {
        case 401:
            if (request.token.empty())
                fail(Status::io_error,
                     "{}: this needs a token (HF_TOKEN for Hugging Face), or there is nothing of that name", head);
            fail(Status::io_error, "{}: the token is not accepted: it may have expired, or lack the right to read this",
                 head);
        case 403:
            if (!request.where_to_accept.empty())
                fail(Status::io_error, "{}: its terms must be accepted first, at {}, by the account {}", head,
                     request.where_to_accept, request.token.empty() ? "whose token is then given" : "of the token");
            fail(Status::io_error, "{}: access is refused{}", head,
                 request.token.empty() ? "; it may need a token, or a proxy on the way forbids it" : " to this token");
        case 404:
        case 410:
            fail(
                Status::io_error, "{}: {}", head,
                request.not_there.empty()
                    ? "there is no such file (any more); if a list of models named it, --refresh asks for that list anew"
                    : request.not_there);
        case 407:
            fail(Status::io_error, "{}: the proxy wants a user and a password, as in http://USER:PASSWORD@host", head);
        case 429: {
            const auto wait = answer.retry_after(unix_seconds());
            fail(Status::io_error, "{}: too many requests; {}. What has come stays, and the next call goes on", head,
                 wait ? fmt::format("it asks to wait {:.0f} s", *wait) : std::string("try again later"));
        }
        default: break;
    }
    if (answer.status >= 500) {
        const auto wait = answer.retry_after(unix_seconds());
        fail(Status::io_error, "{}: the fault is the server's; {}. What has come stays, and the next call goes on",
             head, wait && *wait > 0 ? fmt::format("it asks to wait {:.0f} s", *wait) : std::string("try again later"));
    }
    if (answer.status >= 300 && answer.status < 400)
        fail(Status::io_error, "{}: a redirect that does not say where to", head);
    fail(Status::io_error, "{}: expected 200", head);
}

}  // namespace dragoman::download
