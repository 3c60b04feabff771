// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "base/os/terminal.h"

namespace cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kRedraw = 200ms;
constexpr auto kLine = 10s;
constexpr double kLeast = 1;  // seconds after which there is a rate

std::string clock_text(double seconds) {
    const auto all = int64_t(seconds + 0.5);
    if (all >= 3600) return fmt::format("{}:{:02}:{:02}", all / 3600, all / 60 % 60, all % 60);
    return fmt::format("{}:{:02}", all / 60, all % 60);
}

}  // namespace

std::string in_words(const Done& done, const char* inputs, std::chrono::duration<double> elapsed) {
    std::string text = done.of_inputs ? fmt::format("{} of {} {}, ", done.inputs, done.of_inputs, inputs)
                       : done.inputs || !done.sentences
                           ? fmt::format("{} {}, ", done.inputs, inputs)
                           : "";  // they are written in order, and the first one is at work
    const double share = std::clamp(done.share, 0.0, 1.0), now = share - done.share_before, seconds = elapsed.count();
    text += fmt::format("{} sentences, {:.0f} %", done.sentences, 100 * share);
    if (seconds >= kLeast && done.sentences > 0)
        text += fmt::format(", {:.1f}/s", static_cast<double>(done.sentences) / seconds);
    if (seconds >= kLeast && now > 0 && share < 1) text += ", " + clock_text(seconds * (1 - share) / now) + " left";
    return text;
}

Progress::Progress(bool shown, const char* inputs)
    : shown_(shown), on_terminal_(dragoman::os::is_terminal(stderr)), inputs_(inputs),
      next_(on_terminal_ ? start_ : start_ + kLine) {}

void Progress::show(const Done& done) {
    const Clock::time_point now = Clock::now();
    if (!shown_ || now < next_) return;
    const std::string text = in_words(done, inputs_, now - start_);
    if (on_terminal_) fmt::print(stderr, "\r\033[K{}", text);
    else fmt::print(stderr, "{}\n", text);
    std::fflush(stderr);
    drawn_ = on_terminal_;
    next_ = now + (on_terminal_ ? Clock::duration(kRedraw) : Clock::duration(kLine));
}

void Progress::clear() {
    if (drawn_) std::fputs("\r\033[K", stderr);
    drawn_ = false;
}

}  // namespace cli
