// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace serve::http {

// Takes a body in chunks apart. Sizes are hexadecimal digits and nothing else, lines end in CRLF; extensions and trailers are
// bounded and forgotten.
class ChunkedDecoder {
public:
    using Sink = std::function<void(std::string_view)>;
    // Gives data to `sink`; returns how many bytes from the front belong to this body. Throws Refusal.
    std::size_t feed(std::string_view bytes, const Sink& sink);
    bool done() const { return state_ == State::done; }

private:
    enum class State { size, extension, size_end, data, data_cr, data_lf, trailer, done };
    void next(char c);
    void end_trailer_line();
    State state_ = State::size;
    std::uint64_t left_ = 0;  // of the chunk
    std::size_t digits_ = 0, extra_ = 0 /* bytes of extensions and trailers */;
    std::string line_;  // of the trailers
};

}  // namespace serve::http
