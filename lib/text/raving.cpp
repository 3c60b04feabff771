// SPDX-License-Identifier: Apache-2.0
#include "text/raving.h"

#include <algorithm>
#include <set>
#include <utility>

namespace dragoman::text {
namespace {

constexpr std::size_t kFewest = 16;       // tokens in which repeated pairs mean something
constexpr double kLeastFresh = 0.5;       // share of pairs that are not repeated ones
constexpr std::size_t kLongestPeriod = 8, kFewestRounds = 4, kFewestTokens = 10;

// Some n-gram comes so often in a row.
bool loops(std::span<const uint32_t> tokens) {
    for (std::size_t period = 1; period <= kLongestPeriod; ++period) {
        const std::size_t needed = std::max(kFewestRounds * period, kFewestTokens) - period;
        std::size_t equal = 0;
        for (std::size_t i = period; i < tokens.size(); ++i) {
            equal = tokens[i] == tokens[i - period] ? equal + 1 : 0;
            if (equal >= needed) return true;
        }
    }
    return false;
}

}  // namespace

bool repeats(std::span<const uint32_t> tokens) {
    if (loops(tokens)) return true;
    if (tokens.size() < kFewest) return false;
    std::set<std::pair<uint32_t, uint32_t>> pairs;
    for (std::size_t i = 1; i < tokens.size(); ++i) pairs.emplace(tokens[i - 1], tokens[i]);
    return double(pairs.size()) < kLeastFresh * double(tokens.size() - 1);
}

bool raves(std::span<const uint32_t> source, std::span<const uint32_t> target) {
    const bool long_one = target.size() > 3 * source.size() + 24;
    return (long_one || repeats(target)) && !repeats(source);
}

}  // namespace dragoman::text
