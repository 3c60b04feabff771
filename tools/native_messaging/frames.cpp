// SPDX-License-Identifier: Apache-2.0
#include "native_messaging/frames.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

namespace native_messaging {

std::optional<Frame> read_frame(std::istream& in) {
    std::array<char, 4> head{};
    in.read(head.data(), head.size());
    if (in.gcount() == 0) return {};
    if (in.gcount() < std::streamsize(head.size()))
        throw BrokenFrame{fmt::format("the input ended after {} of the 4 bytes of a length", in.gcount())};
    std::uint32_t length = 0;
    std::memcpy(&length, head.data(), head.size());
    if (length > kMostBytes)
        throw BrokenFrame{fmt::format("a message of {} bytes, at most {} are taken", length, kMostBytes)};
    Frame frame;
    frame.text.resize(length);
    in.read(frame.text.data(), std::streamsize(length));
    if (in.gcount() < std::streamsize(length))
        throw BrokenFrame{fmt::format("the input ended after {} of a message's {} bytes", in.gcount(), length)};
    if (length < 2) frame.problem = fmt::format("a message of {} bytes is no JSON object", length);
    return frame;
}

void write_frame(std::ostream& out, const std::string& text) {
    const auto length = static_cast<std::uint32_t>(text.size());
    std::array<char, 4> head{};
    std::memcpy(head.data(), &length, head.size());
    out.write(head.data(), head.size());
    out.write(text.data(), std::streamsize(text.size()));
    out.flush();
}

}  // namespace native_messaging
