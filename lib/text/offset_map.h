// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "text/characters.h"

namespace dragoman::text {

// Maps bytes of a derived text to bytes of the text it was made from. Only differences are stored, so an unchanged text
// costs nothing.
class OffsetMap {
public:
    // These append to the derived text: bytes of the source as they are, or `size` bytes for a source range as a whole.
    // Sources come in order; gaps between them were dropped.
    void copy(Range source);
    void replace(std::size_t size, Range source);

    bool is_identity() const { return changes_.empty(); }

    // The bytes of the source for a derived range, without what was dropped before and after it. A range that begins or
    // ends inside a replaced stretch gets all of it.
    Range source(Range derived) const;
    // The same for ranges ordered by begin and by end, in place and in linear time.
    void to_source(std::span<Range> derived) const;

private:
    struct Change {
        Range derived, source;
    };
    static std::size_t begin_after(const Change& change, std::size_t at);
    static std::size_t end_after(const Change& change, std::size_t at);

    std::vector<Change> changes_;  // in order; between them both texts are the same bytes
    std::size_t derived_size_ = 0, source_size_ = 0;
};

}  // namespace dragoman::text
