// SPDX-License-Identifier: Apache-2.0
#include "text/bracket_pairs.h"

#include <algorithm>
#include <array>

namespace dragoman::text {
namespace {

constexpr std::string_view kOpenings = "([{", kClosings = ")]}";

struct BracketPairs {
    std::array<std::size_t, kOpenings.size()> whole{};  // of each kind
    std::vector<std::array<std::size_t, 2>> mixed;     // places of brackets of two kinds
    bool even = true;                                  // every bracket has its other one
};

BracketPairs bracket_pairs_in(std::string_view text) {
    BracketPairs pairs;
    std::vector<std::size_t> open;
    for (std::size_t at = text.find_first_of("()[]{}"); at != text.npos; at = text.find_first_of("()[]{}", at + 1)) {
        if (kOpenings.find(text[at]) != kOpenings.npos) {
            open.push_back(at);
            continue;
        }
        if (open.empty()) {
            pairs.even = false;
            continue;
        }
        const std::size_t kind = kClosings.find(text[at]);
        if (kOpenings[kind] == text[open.back()]) ++pairs.whole[kind];
        else pairs.mixed.push_back({open.back(), at});
        open.pop_back();
    }
    pairs.even = pairs.even && open.empty();
    return pairs;
}

}  // namespace

std::vector<Edit> bracket_pairs(std::string_view source, std::string_view translation) {
    BracketPairs found = bracket_pairs_in(translation);
    if (!found.even || found.mixed.empty()) return {};
    const BracketPairs given = bracket_pairs_in(source);
    if (!given.even || !given.mixed.empty()) return {};
    std::vector<Edit> edits;
    for (const auto& [begin, end] : found.mixed) {
        std::size_t kind = 0;
        while (kind < kOpenings.size() && found.whole[kind] >= given.whole[kind]) ++kind;
        if (kind == kOpenings.size()) continue;
        ++found.whole[kind];
        for (const auto& [at, bracket] : {std::pair(begin, kOpenings[kind]), std::pair(end, kClosings[kind])})
            if (translation[at] != bracket) edits.push_back({{at, at + 1}, std::string(1, bracket)});
    }
    std::ranges::sort(edits, {}, [](const Edit& edit) { return edit.range.begin; });
    return edits;
}

}  // namespace dragoman::text
