// SPDX-License-Identifier: Apache-2.0
#include "text/token_ranges.h"

#include <algorithm>

#include "text/offset_map.h"

namespace dragoman::text {
namespace {

Range without_spaces(std::string_view text, Range range) {
    const std::string_view within = text.substr(0, range.end);
    for (std::size_t at = range.begin; range.begin < range.end; range.begin = at)
        if (!is_space(next_character(within, at))) break;
    for (std::size_t at = range.end; range.end > range.begin; range.end = at)
        if (!is_space(previous_character(within, at))) break;
    return range;
}

// Empty ranges between one that ends at `end` and one that begins at `begin`: between the two, or, where they share a
// character, of that too.
void place_empty(std::span<Range> empty, std::size_t end, std::size_t begin) {
    for (Range& range : empty) {
        if (end > begin) range = {begin, end};
        else range.begin = range.end = std::clamp(range.begin, end, begin);
    }
}

}  // namespace

void trim_spaces(std::string_view text, std::span<Range> ranges) {
    for (Range& range : ranges) range = without_spaces(text, range);
}

void cover_dropped(std::string_view text, std::span<Range> ranges) {
    if (ranges.empty()) return;
    Range* last = nullptr;  // the last that is not empty
    std::size_t empty = 0;  // the first of the empty ones after it
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        Range& next = ranges[i];
        if (next.size() == 0) continue;
        const Range gap{last ? last->end : 0, next.begin};
        if (gap.begin < gap.end) {
            const Range dropped = without_spaces(text, gap);
            const bool with_next = !last || (dropped.begin > gap.begin && dropped.end == gap.end);
            if (dropped.size() > 0) (with_next ? next.begin : last->end) = with_next ? dropped.begin : dropped.end;
        }
        place_empty(ranges.subspan(empty, i - empty), last ? last->end : 0, next.begin);
        last = &next;
        empty = i + 1;
    }
    const Range rest = without_spaces(text, {last ? last->end : 0, text.size()});
    if (rest.size() > 0) {
        if (last) last->end = rest.end;
        else ranges.front() = rest, last = &ranges.front(), empty = 1;
    }
    if (empty < ranges.size()) place_empty(ranges.subspan(empty), last ? last->end : 0, text.size());
}

void to_source(const OffsetMap& map, std::string_view source, std::span<Range> ranges) {
    map.to_source(ranges);
    trim_spaces(source, ranges);
    cover_dropped(source, ranges);
}

}  // namespace dragoman::text
