// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "decode/allowed_tokens.h"
#include "decode/range_allocator.h"

namespace range_allocator_test {

using namespace dragoman;
using decode::AllowedTokens;
using decode::RangeAllocator;

TEST_CASE("ranges are handed out lowest first and joined again") {
    RangeAllocator ranges(10);
    CHECK(ranges.allocate(4) == 0);
    CHECK(ranges.allocate(4) == 4);
    CHECK_FALSE(ranges.allocate(3).has_value());
    CHECK(ranges.allocate(2) == 8);
    CHECK(ranges.free_total() == 0);
    ranges.free(1, 2);  // a part
    CHECK(ranges.allocate(2) == 1);
    ranges.free(0, 4);
    ranges.free(8, 2);
    CHECK_FALSE(ranges.allocate(5).has_value());
    ranges.free(4, 4);
    CHECK(ranges.all_free());
    CHECK(ranges.allocate(10) == 0);
    ranges.extend(15);
    CHECK(ranges.allocate(5) == 10);
}

TEST_CASE("ranges begin where they may") {
    RangeAllocator ranges(20, 8);
    CHECK(ranges.allocate(3) == 0);
    CHECK(ranges.allocate(3) == 8);
    CHECK(ranges.allocate(4) == 16);
    CHECK_FALSE(ranges.allocate(1).has_value());  // what is free begins at odd places
    CHECK(ranges.free_total() == 10);
}

TEST_CASE("no place is handed out twice, and none is lost") {
    std::mt19937 random(5);
    RangeAllocator ranges(200, 4);
    std::vector<bool> taken(200);
    std::vector<std::pair<uint32_t, uint32_t>> held;
    for (int round = 0; round < 2000; ++round) {
        if (random() % 2 == 0) {
            const uint32_t length = 1 + random() % 30;
            const auto begin = ranges.allocate(length);
            if (!begin) continue;
            REQUIRE(*begin % 4 == 0);
            REQUIRE(*begin + length <= 200);
            for (uint32_t i = 0; i < length; ++i) {
                REQUIRE_FALSE(taken[*begin + i]);
                taken[*begin + i] = true;
            }
            held.emplace_back(*begin, length);
        } else if (!held.empty()) {
            const std::size_t which = random() % held.size();
            auto& [begin, length] = held[which];
            const uint32_t part = 1 + random() % length;
            ranges.free(begin, part);
            std::fill_n(taken.begin() + begin, part, false);
            begin += part;
            length -= part;
            if (length == 0) held.erase(held.begin() + std::ptrdiff_t(which));
        }
        REQUIRE(ranges.free_total() == std::ranges::count(taken, false));
    }
}

TEST_CASE("what is allowed grows with those who enter and forgets when there is no room") {
    AllowedTokens tokens(100);
    const std::vector<uint32_t> first{3, 50, 7}, second{50, 8}, third{9, 10, 11};
    tokens.enter(first);
    CHECK_FALSE(tokens.assign_places(2));
    CHECK(tokens.used() == 3);
    CHECK(tokens.assign_places(5));
    CHECK(tokens.changed());
    tokens.set_unchanged();
    tokens.enter(second);
    CHECK(tokens.assign_places(5));
    CHECK(tokens.ids().size() == 4);
    tokens.set_unchanged();
    tokens.leave(first);
    tokens.enter(second);
    CHECK(tokens.assign_places(5));
    CHECK_FALSE(tokens.changed());
    tokens.enter(third);
    CHECK(tokens.assign_places(5));  // 50, 8 and these
    CHECK(tokens.used() == 5);
    std::vector<uint32_t> ids = tokens.ids();
    std::ranges::sort(ids);
    CHECK(ids == std::vector<uint32_t>{8, 9, 10, 11, 50});
    for (uint32_t i = 0; i < 5; ++i) CHECK(tokens.places()[tokens.ids()[i]] == i);
    CHECK(tokens.places()[3] == AllowedTokens::kNoPlace);
    CHECK_THROWS_AS(tokens.enter(std::vector<uint32_t>{100}), Error);
}

}  // namespace range_allocator_test
