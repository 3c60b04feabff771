// SPDX-License-Identifier: Apache-2.0
#include "serve/http/head_scanner.h"

#include <fmt/format.h>

#include "serve/http/characters.h"
#include "serve/http/refusal.h"
#include "serve/http/request_line.h"

namespace serve::http {
namespace {

constexpr std::size_t kMaxHeaders = 100;

}  // namespace

bool HeadScanner::end_line(std::string_view text) {
    const std::string_view line = text.substr(line_, at_ - 1 - line_);  // without CR
    const std::size_t next = at_ + 1;
    if (line.empty() && lines_ == 0) {
        if (begin_ != 0) throw Refusal(400, "there are empty lines before the request");
        begin_ = line_ = next;
        return false;
    }
    if (line.empty()) return true;
    // A wrong first line is refused at once: what speaks another protocol may wait for an answer now.
    if (lines_ == 0) read_request_line(line);
    if (lines_ > kMaxHeaders) throw Refusal(431, fmt::format("the request has more than {} headers", kMaxHeaders));
    ++lines_;
    line_ = next;
    return false;
}

bool HeadScanner::scan(std::string_view text) {
    for (; at_ < text.size(); ++at_) {
        if (at_ >= max_bytes_) {
            const bool first_line = lines_ == 0;
            throw Refusal(first_line ? 414 : 431, fmt::format("the request's {} more than {} bytes",
                                                              first_line ? "address has" : "headers have", max_bytes_));
        }
        const char c = text[at_];
        const bool after_cr = at_ > line_ && text[at_ - 1] == '\r';
        if (c == '\n') {
            if (!after_cr) throw Refusal(400, "a line of the request's head ends in LF without CR");
            if (end_line(text)) {
                ++at_;
                return true;
            }
            continue;
        }
        if (after_cr) throw Refusal(400, "there is a CR without LF in the request's head");
        if (c == '\r') continue;
        if (is_control(c) && c != '\t')
            throw Refusal(400, fmt::format("there is a control character (0x{:02x}) in the request's head",
                                           static_cast<unsigned char>(c)));
        if (at_ == begin_ && !is_token_char(c)) throw Refusal(400, "this is no HTTP request");
    }
    return false;
}

}  // namespace serve::http
