// SPDX-License-Identifier: Apache-2.0
#include "text/edits.h"

#include "base/error.h"
#include "text/offset_map.h"
#include "text/token_ranges.h"

namespace dragoman::text {

void apply(std::span<const Edit> edits, std::string& text, std::span<Range> ranges) {
    std::string result;
    OffsetMap map;  // from the original text to the changed one
    std::size_t at = 0;
    const auto copy = [&](std::size_t end) {
        map.copy({result.size(), result.size() + end - at});
        result.append(text, at, end - at);
        at = end;
    };
    for (const Edit& edit : edits) {
        DRAGOMAN_ASSERT(edit.range.begin >= at && edit.range.end <= text.size());
        copy(edit.range.begin);
        const std::size_t begin = result.size();
        result += edit.text;
        if (edit.range.size() > 0) map.replace(edit.range.size(), {begin, result.size()});
        at = edit.range.end;
    }
    copy(text.size());
    map.to_source(ranges);
    trim_spaces(result, ranges);
    cover_dropped(result, ranges);
    text = std::move(result);
}

}  // namespace dragoman::text
