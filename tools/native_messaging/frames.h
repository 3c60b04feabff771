// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <optional>
#include <ostream>
#include <string>

// What browsers speak with programs beside them: the length of a message in four bytes, in the machine's order, then
// the message, JSON in UTF-8.
namespace native_messaging {

constexpr std::uint32_t kMostBytes = 10u << 20;  // of a message that comes
constexpr std::size_t kMostAnswerBytes = 1u << 20;  // of one that goes: browsers end a program that sends more

// A message that cannot be read; nothing behind it can be, either.
struct BrokenFrame {
    std::string why;
};

struct Frame {
    std::string text;
    std::string problem;  // why it cannot be taken, though the next one can; empty: nothing
};

// The next message; none: the input has ended. Throws BrokenFrame.
std::optional<Frame> read_frame(std::istream& in);
void write_frame(std::ostream& out, const std::string& text);

}  // namespace native_messaging
