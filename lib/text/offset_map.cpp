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

// Where a range begins or ends in the source that does so at byte `at`, when `change` is the last one that begins at or
// before it, or before it.
std::size_t OffsetMap::begin_behind(const Change& change, std::size_t at) {
    return at < change.derived.end ? change.source.begin : change.source.end + (at - change.derived.end);
}

std::size_t OffsetMap::end_behind(const Change& change, std::size_t at) {
    return at < change.derived.end ? change.source.end : change.source.end + (at - change.derived.end);
}

Range OffsetMap::source(Range derived) const {
    const auto begin_of = [](const Change& change) { return change.derived.begin; };
    const auto behind_begin = std::ranges::upper_bound(changes_, derived.begin, {}, begin_of);
    const auto behind_end = std::ranges::lower_bound(changes_, derived.end, {}, begin_of);
    Range range = derived;
    if (behind_begin != changes_.begin()) range.begin = begin_behind(*(behind_begin - 1), derived.begin);
    if (behind_end != changes_.begin()) range.end = end_behind(*(behind_end - 1), derived.end);
    return {range.begin, std::max(range.begin, range.end)};
}

void OffsetMap::to_source(std::span<Range> derived) const {
    if (is_identity()) return;
    std::size_t behind_begin = 0, behind_end = 0;
    for (Range& range : derived) {
        const auto [begin, end] = range;
        while (behind_begin < changes_.size() && changes_[behind_begin].derived.begin <= begin) ++behind_begin;
        while (behind_end < changes_.size() && changes_[behind_end].derived.begin < end) ++behind_end;
        if (behind_begin > 0) range.begin = begin_behind(changes_[behind_begin - 1], begin);
        if (behind_end > 0) range.end = end_behind(changes_[behind_end - 1], end);
        range.end = std::max(range.begin, range.end);
    }
}

}  // namespace dragoman::text
