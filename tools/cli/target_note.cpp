// SPDX-License-Identifier: Apache-2.0
#include "target_note.h"

#include <fmt/format.h>

#include <algorithm>
#include <dragoman/detect.hpp>
#include <span>
#include <vector>

namespace cli {
namespace {

constexpr std::size_t kMostBytes = 2000, kFewestWords = 5;
constexpr float kSureOfTarget = 0.8f;

std::string_view base_of(std::string_view tag) { return tag.substr(0, tag.find_first_of("-_")); }

}  // namespace

void TargetNote::see(std::string_view text) {
    if (target_.empty() || begin_.size() > kMostBytes) return;
    begin_.append(text).append("\n");
}

void TargetNote::say() const {
    if (std::ranges::count(begin_, ' ') + 1 < std::ptrdiff_t(kFewestWords)) return;
    const std::string_view text = begin_;
    const dragoman::Languages found(std::span(&text, 1), "");
    const std::vector<dragoman_language_guess> guesses = found[0];
    if (guesses.empty()) return;
    const dragoman_language_guess& best = guesses.front();
    if (best.probability < kSureOfTarget || base_of(best.tag) != base_of(target_)) return;
    fmt::print(stderr, "dragoman: the text seems to be {} already; --from auto leaves such sentences as they are\n",
               best.name);
}

}  // namespace cli
