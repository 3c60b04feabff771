// SPDX-License-Identifier: Apache-2.0
#include "text/clean_up.h"

#include <algorithm>
#include <numeric>

namespace dragoman::text {
namespace {

// One after the other, as each sees what those before it left; all blanks of what is found go.
constexpr std::string_view kJoined[] = {" .", " ?", " !", " ,", " ' ", " n't", " 'm", " 's", " 've", " 're"};

// `places`: of each byte in the text as it was.
void join(std::string_view found, std::string& text, std::vector<std::size_t>& places) {
    std::size_t to = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t next = std::min(text.find(found, at), text.size());
        const std::size_t end = std::min(next + found.size(), text.size());
        for (; at < end; ++at) {
            if (at >= next && text[at] == ' ') continue;
            text[to] = text[at];
            places[to++] = places[at];
        }
    }
    text.resize(to);
    places.resize(to);
}

}  // namespace

void clean_up_spaces(DetokenizedText& text) {
    std::vector<std::size_t> places;
    for (const std::string_view found : kJoined) {
        if (text.text.find(found) == std::string::npos) continue;
        if (places.empty()) {
            places.resize(text.text.size());
            std::iota(places.begin(), places.end(), std::size_t(0));
        }
        join(found, text.text, places);
    }
    if (places.empty()) return;
    const auto moved = [&](std::size_t at) {
        return std::size_t(std::ranges::lower_bound(places, at) - places.begin());
    };
    for (Range& range : text.ranges) range = {moved(range.begin), moved(range.end)};
}

}  // namespace dragoman::text
