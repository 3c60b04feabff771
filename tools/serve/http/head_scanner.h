// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace serve::http {

// Finds the end of a request's head while its bytes come in, each of them looked at once. Lines end in CRLF and nothing
// else: a reader that takes a bare LF for an end, and one that does not, see two different requests.
class HeadScanner {
public:
    explicit HeadScanner(std::size_t max_bytes) : max_bytes_(max_bytes) {}
    // `text`: the head's bytes so far, and perhaps what follows. True: the head is complete. Throws Refusal.
    bool scan(std::string_view text);
    std::size_t begin() const { return begin_; }  // behind an empty line, which old clients send after a body
    std::size_t end() const { return at_; }  // behind the empty line
    void reset() { *this = HeadScanner(max_bytes_); }

private:
    bool end_line(std::string_view text);
    std::size_t max_bytes_, at_ = 0, begin_ = 0, line_ = 0, lines_ = 0;
};

}  // namespace serve::http
