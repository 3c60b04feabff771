// SPDX-License-Identifier: Apache-2.0
#include "vulkan/stall.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "base/environment.h"
#include "base/error.h"
#include "vulkan/caps.h"

namespace dragoman::vulkan {
namespace {

// A submission is about 0.1 s of work, and drivers reset a GPU long before this. Software drivers on busy machines are
// slow: one product of a large model may take minutes.
constexpr uint32_t kGpuSeconds = 60, kCpuSeconds = 300;
constexpr uint32_t kMostSeconds = 1'000'000;
constexpr std::chrono::seconds kAwake{2};  // looks further apart than this: the thread was stopped in between

uint32_t from_environment() {
    const std::string text = environment("DRAGOMAN_HANG_SECONDS");
    if (text.empty()) return 0;
    uint32_t seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error != std::errc() || end != text.data() + text.size() || seconds < 1 || seconds > kMostSeconds)
        fail(Status::invalid_argument, "DRAGOMAN_HANG_SECONDS: expected 1 to {} seconds, got \"{}\"", kMostSeconds,
             text);
    return seconds;
}

}  // namespace

bool Stall::over(uint64_t progress, Clock::time_point now) {
    const Clock::duration passed = std::min<Clock::duration>(now - looked_, kAwake);
    looked_ = now;
    if (progress != progress_) {
        progress_ = progress;
        stalled_ = {};
        return false;
    }
    stalled_ += passed;
    return stalled_ > limit_;
}

std::chrono::seconds hang_limit(const Caps& caps) {
    if (const uint32_t seconds = from_environment()) return std::chrono::seconds(seconds);
    return std::chrono::seconds(caps.is_cpu() ? kCpuSeconds : kGpuSeconds);
}

}  // namespace dragoman::vulkan
