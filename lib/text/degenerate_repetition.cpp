// SPDX-License-Identifier: Apache-2.0
#include "text/degenerate_repetition.h"

#include <algorithm>
#include <set>
#include <utility>

namespace dragoman::text {
namespace {

constexpr std::size_t kFewest = 16;       // from this many tokens on, repeated pairs count
constexpr double kLeastFresh = 0.5;       // least share of pairs that are not repeated
constexpr float kUnlikely = -2.0f;        // translations of single words have -1.5, of sentences -0.5
constexpr std::size_t kFewWords = 6;      // tokens of a short source
constexpr std::size_t kLongestPeriod = 8, kFewestRounds = 4, kFewestTokens = 10;

// Whether some n-gram comes too often in a row.
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

// Whether one or two tokens come three times in a row: too often for a source of a few words.
bool says_thrice(std::span<const uint32_t> tokens) {
    for (std::size_t period = 1; period <= 2; ++period)
        for (std::size_t i = 2 * period, equal = 0; i < tokens.size(); ++i) {
            equal = tokens[i] == tokens[i - period] && tokens[i - period] == tokens[i - 2 * period] ? equal + 1 : 0;
            if (equal >= period) return true;
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

bool is_degenerate(std::span<const uint32_t> source, std::span<const uint32_t> target, float likelihood) {
    const bool long_one = target.size() > 3 * source.size() + 24;
    const bool unlikely = likelihood < kUnlikely && target.size() > 2 * source.size() + 4;
    const bool stammers = source.size() <= kFewWords && says_thrice(target) && !says_thrice(source);
    return (long_one || unlikely || stammers || repeats(target)) && !repeats(source);
}

}  // namespace dragoman::text
