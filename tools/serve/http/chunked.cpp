// SPDX-License-Identifier: Apache-2.0
#include "serve/http/chunked.h"

#include <fmt/format.h>

#include <algorithm>

#include "serve/ascii.h"
#include "serve/http/characters.h"
#include "serve/http/refusal.h"

namespace serve::http {
namespace {

constexpr std::size_t kMaxSizeDigits = 15;  // 2^60 bytes; no sum of sizes comes near an overflow
constexpr std::size_t kMaxExtra = 4096;

[[noreturn]] void wrong_chunk(std::string_view what) {
    throw Refusal(400, fmt::format("a chunk of the body {}", what));
}

}  // namespace

std::size_t ChunkedDecoder::feed(std::string_view bytes, const Sink& sink) {
    std::size_t at = 0;
    while (at < bytes.size() && !done()) {
        if (state_ != State::data) {
            next(bytes[at++]);
            continue;
        }
        const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size() - at));
        sink(bytes.substr(at, count));
        at += count;
        left_ -= count;
        if (left_ == 0) state_ = State::data_cr;
    }
    return at;
}

void ChunkedDecoder::next(char c) {
    const bool extra = state_ == State::extension || state_ == State::trailer;
    if (extra && ++extra_ > kMaxExtra)
        throw Refusal(431, fmt::format("extensions and trailers of the body have more than {} bytes", kMaxExtra));
    switch (state_) {
        case State::size:
            if (const int digit = hex_value(c); digit >= 0) {
                if (++digits_ > kMaxSizeDigits) wrong_chunk("has a size of too many digits");
                left_ = left_ * 16 + static_cast<unsigned>(digit);
                return;
            }
            if (digits_ == 0) wrong_chunk("has no size");
            if (c != ';' && c != '\r') wrong_chunk("has a size that is not hexadecimal");
            state_ = c == ';' ? State::extension : State::size_end;
            return;
        case State::extension:
            if (c == '\r') state_ = State::size_end;
            else if (is_control(c) && c != '\t') wrong_chunk("has a control character after its size");
            return;
        case State::size_end:
            if (c != '\n') wrong_chunk("has a size whose line does not end in CRLF");
            state_ = left_ == 0 ? State::trailer : State::data;
            digits_ = 0;
            return;
        case State::data_cr:
            if (c != '\r') wrong_chunk("is longer than its size");
            state_ = State::data_lf;
            return;
        case State::data_lf:
            if (c != '\n') wrong_chunk("does not end in CRLF");
            state_ = State::size;
            return;
        case State::trailer:
            if (!line_.empty() && line_.back() == '\r') {
                if (c != '\n') throw Refusal(400, "there is a CR without LF in the body's trailers");
                line_.pop_back();
                end_trailer_line();
            } else if (is_control(c) && c != '\t' && c != '\r') {
                throw Refusal(400, "there is a control character or a bare LF in the body's trailers");
            } else {
                line_ += c;
            }
            return;
        case State::data:
        case State::done: return;
    }
}

void ChunkedDecoder::end_trailer_line() {
    if (line_.empty()) {
        state_ = State::done;
        return;
    }
    const std::string name = line_.substr(0, std::min(line_.find(':'), line_.size()));
    if (name.size() == line_.size() || !is_token(name))
        throw Refusal(400, fmt::format("\"{}\" is no trailer", shown(line_)));
    // Such a field would say something of the message that it ends.
    for (const char* framing : {"Content-Length", "Transfer-Encoding", "Host", "Trailer"})
        if (same_in_any_case(name, framing)) throw Refusal(400, fmt::format("{} is no field for trailers", framing));
    line_.clear();
}

}  // namespace serve::http
