// SPDX-License-Identifier: Apache-2.0
#include "serve/http/multipart.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "serve/ascii.h"
#include "serve/http/characters.h"
#include "serve/problem.h"

namespace serve::http {
namespace {

constexpr std::size_t kMaxBoundary = 200;  // RFC 2046 says 70, and clients make longer ones
constexpr std::size_t kMaxParts = 1000;
constexpr std::size_t kMaxHeaderBytes = 16 * 1024;  // of a part
constexpr std::size_t kMaxPreamble = 64 * 1024;

[[noreturn]] void wrong_form(const std::string& what) {
    throw Problem(Problem::Kind::bad_request, "the multipart body is broken: " + what);
}

}  // namespace

MultipartReader::MultipartReader(std::string boundary, Events events) : events_(std::move(events)) {
    if (boundary.empty() || boundary.size() > kMaxBoundary ||
        std::any_of(boundary.begin(), boundary.end(), [](char c) { return is_control(c); }))
        wrong_form(fmt::format("its boundary is \"{}\"", shown(boundary)));
    mark_ = "\r\n--" + boundary;
}

void MultipartReader::feed(std::string_view bytes) {
    bytes_.append(bytes);
    while (state_ != State::done && step()) {}
    if (state_ == State::done) at_ = bytes_.size();  // whatever follows says nothing
    bytes_.erase(0, at_);
    at_ = 0;
}

void MultipartReader::finish() {
    if (state_ == State::done) return;
    if (state_ == State::preamble) wrong_form(fmt::format("it has no boundary \"{}\"", shown(mark_.substr(2))));
    wrong_form(fmt::format("it ends without \"{}--\"", shown(mark_.substr(2))));
}

bool MultipartReader::step() {
    switch (state_) {
        case State::preamble: return skip_preamble();
        case State::after_boundary: return end_boundary_line();
        case State::headers: return read_header_line();
        case State::data: return read_data();
        case State::done: return false;
    }
    return false;
}

bool MultipartReader::take_line(std::string& line) {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == std::string::npos) {
        if (bytes_.size() - at_ > kMaxPreamble) wrong_form(fmt::format("a line has more than {} bytes", kMaxPreamble));
        return false;
    }
    if (end == at_ || bytes_[end - 1] != '\r') wrong_form("a line ends in LF without CR");
    line.assign(bytes_, at_, end - 1 - at_);
    at_ = end + 1;
    return true;
}

bool MultipartReader::skip_preamble() {
    const std::string_view mark = std::string_view(mark_).substr(2);
    const std::string_view rest = std::string_view(bytes_).substr(at_);
    if (rest.size() < mark.size() && rest == mark.substr(0, rest.size())) return false;
    if (rest.substr(0, mark.size()) == mark) {
        at_ += mark.size();
        state_ = State::after_boundary;
        return true;
    }
    std::string line;
    if (!take_line(line)) return false;
    header_bytes_ += line.size() + 2;
    if (header_bytes_ > kMaxPreamble) wrong_form(fmt::format("it does not begin with \"{}\"", shown(mark)));
    return true;
}

bool MultipartReader::end_boundary_line() {
    if (bytes_.size() - at_ < 2) return false;
    if (bytes_.compare(at_, 2, "--") == 0) {
        state_ = State::done;
        return true;
    }
    std::string line;
    if (!take_line(line)) return false;
    if (!without_blanks(line).empty()) wrong_form(fmt::format("\"{}\" follows a boundary", shown(line)));
    if (++parts_ > kMaxParts) wrong_form(fmt::format("it has more than {} parts", kMaxParts));
    part_ = {};
    header_bytes_ = 0;
    state_ = State::headers;
    return true;
}

bool MultipartReader::read_header_line() {
    std::string line;
    if (!take_line(line)) return false;
    header_bytes_ += line.size() + 2;
    if (header_bytes_ > kMaxHeaderBytes)
        wrong_form(fmt::format("part {} has more than {} bytes of headers", parts_, kMaxHeaderBytes));
    if (!line.empty()) {
        take_header(line);
        return true;
    }
    if (part_.disposition.empty()) wrong_form(fmt::format("part {} has no Content-Disposition", parts_));
    events_.begin(part_);
    state_ = State::data;
    return true;
}

bool MultipartReader::read_data() {
    const std::size_t found = bytes_.find(mark_, at_);
    const std::size_t kept = mark_.size() - 1;  // may be the front of a boundary
    const std::size_t end = found != std::string::npos ? found : std::max(at_ + kept, bytes_.size()) - kept;
    if (end > at_) events_.data(std::string_view(bytes_).substr(at_, end - at_));
    at_ = end;
    if (found == std::string::npos) return false;
    at_ += mark_.size();
    events_.end();
    state_ = State::after_boundary;
    return true;
}

void MultipartReader::take_header(std::string_view line) {
    const std::size_t colon = line.find(':');
    const std::string_view name = without_blanks(line.substr(0, colon));
    if (colon == std::string_view::npos || !is_token(name))
        wrong_form(fmt::format("part {} has a header \"{}\"", parts_, shown(line)));
    const std::string_view value = without_blanks(line.substr(colon + 1));
    if (same_in_any_case(name, "Content-Disposition")) part_.disposition = value;
    if (same_in_any_case(name, "Content-Type")) part_.content_type = value;
    if (same_in_any_case(name, "Content-Transfer-Encoding") && !same_in_any_case(value, "binary") &&
        !same_in_any_case(value, "8bit") && !same_in_any_case(value, "7bit"))
        wrong_form(fmt::format("part {} is encoded as {}", parts_, shown(value)));
}

}  // namespace serve::http
