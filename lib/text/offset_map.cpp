// SPDX-License-Identifier: Apache-2.0
#include "text/offset_map.h"

#include <algorithm>

#include "base/error.h"

namespace dragoman::text {

void OffsetMap::copy(Range source) {
    DRAGOMAN_ASSERT(source.begin >= source_size_);
    if (source.begin > source_size_) changes_.push_back({{derived_size_, derived_size_}, {source_size_, source.begin}});
    derived_size_ += source.size();
    source_size_ = source.end;
}

void OffsetMap::replace(std::size_t size, Range source) {
    DRAGOMAN_ASSERT(source.begin >= source_size_);
    copy({source.begin, source.begin});
    changes_.push_back({{derived_size_, derived_size_ + size}, source});
    derived_size_ += size;
    source_size_ = source.end;
}

// The source's byte for a range that begins or ends at byte `at`. `change` is the last change that begins at or before
// `at` (for a begin), or before it (for an end).
std::size_t OffsetMap::begin_after(const Change& change, std::size_t at) {
    return at < change.derived.end ? change.source.begin : change.source.end + (at - change.derived.end);
}

std::size_t OffsetMap::end_after(const Change& change, std::size_t at) {
    return at < change.derived.end ? change.source.end : change.source.end + (at - change.derived.end);
}

Range OffsetMap::source(Range derived) const {
    const auto begin_of = [](const Change& change) { return change.derived.begin; };
    const auto after_begin = std::ranges::upper_bound(changes_, derived.begin, {}, begin_of);
    const auto after_end = std::ranges::lower_bound(changes_, derived.end, {}, begin_of);
    Range range = derived;
    if (after_begin != changes_.begin()) range.begin = begin_after(*(after_begin - 1), derived.begin);
    if (after_end != changes_.begin()) range.end = end_after(*(after_end - 1), derived.end);
    return {range.begin, std::max(range.begin, range.end)};
}

void OffsetMap::to_source(std::span<Range> derived) const {
    if (is_identity()) return;
    std::size_t after_begin = 0, after_end = 0;
    for (Range& range : derived) {
        const auto [begin, end] = range;
        while (after_begin < changes_.size() && changes_[after_begin].derived.begin <= begin) ++after_begin;
        while (after_end < changes_.size() && changes_[after_end].derived.begin < end) ++after_end;
        if (after_begin > 0) range.begin = begin_after(changes_[after_begin - 1], begin);
        if (after_end > 0) range.end = end_after(changes_[after_end - 1], end);
        range.end = std::max(range.begin, range.end);
    }
}

}  // namespace dragoman::text
