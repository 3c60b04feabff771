// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace serve::http {

// Takes a multipart body apart as its bytes come in; holds no more than a line or a boundary of them.
class MultipartReader {
public:
    struct Part {
        std::string disposition, content_type;  // values of its headers
    };
    struct Events {
        std::function<void(const Part&)> begin;
        std::function<void(std::string_view)> data;
        std::function<void()> end;
    };
    // Throws Problem for a boundary that is none.
    MultipartReader(std::string boundary, Events events);
    void feed(std::string_view bytes);  // throws Problem
    void finish();                      // throws Problem where the last boundary is missing

private:
    enum class State { preamble, after_boundary, headers, data, done };
    bool step();  // false: more bytes are needed
    bool skip_preamble();
    bool end_boundary_line();
    bool read_header_line();
    bool read_data();
    void take_header(std::string_view line);
    // A line from the front of what is there, without its end; false: there is no whole one.
    bool take_line(std::string& line);
    std::string mark_;  // CRLF, two hyphens and the boundary
    Events events_;
    State state_ = State::preamble;
    std::string bytes_;
    std::size_t at_ = 0, parts_ = 0, header_bytes_ = 0;
    Part part_;
};

}  // namespace serve::http
