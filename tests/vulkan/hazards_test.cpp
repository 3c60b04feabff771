// SPDX-License-Identifier: Apache-2.0
#include "vulkan/hazards.h"

#include <doctest/doctest.h>

namespace hazards_test {

using dragoman::vulkan::Hazards;
using dragoman::vulkan::BufferRange;

namespace {

const int a = 0, b = 0;

bool step(Hazards& hazards, std::vector<BufferRange> reads, std::vector<BufferRange> writes) {
    return hazards.barrier_before(reads, writes);
}

}  // namespace

TEST_CASE("reads after reads need no barrier") {
    Hazards hazards;
    CHECK_FALSE(step(hazards, {{&a, 0, 64}}, {}));
    CHECK_FALSE(step(hazards, {{&a, 0, 64}, {&b, 0, 4}}, {}));
}

TEST_CASE("read after write, write after read and write after write need one") {
    const BufferRange range{&a, 0, 64};
    struct Case {
        std::vector<BufferRange> first_reads, first_writes, reads, writes;
    };
    const Case cases[] = {{{}, {range}, {range}, {}}, {{range}, {}, {}, {range}}, {{}, {range}, {}, {range}}};
    for (const Case& c : cases) {
        Hazards hazards;
        CHECK_FALSE(step(hazards, c.first_reads, c.first_writes));
        CHECK(step(hazards, c.reads, c.writes));
    }
}

TEST_CASE("neighbouring ranges and other buffers do not touch, one shared byte does") {
    Hazards hazards;
    CHECK_FALSE(step(hazards, {}, {{&a, 16, 32}}));
    CHECK_FALSE(step(hazards, {{&a, 0, 16}, {&a, 32, 48}, {&b, 16, 32}}, {}));
    CHECK(step(hazards, {{&a, 31, 33}}, {}));
}

TEST_CASE("a barrier covers everything before it, but not the command behind it") {
    Hazards hazards;
    CHECK_FALSE(step(hazards, {}, {{&a, 0, 4}, {&b, 0, 4}}));
    CHECK(step(hazards, {{&a, 0, 4}}, {{&a, 8, 12}}));
    CHECK_FALSE(step(hazards, {{&b, 0, 4}}, {}));
    CHECK(step(hazards, {{&a, 8, 12}}, {}));
}

TEST_CASE("a command may read and write the same range") {
    Hazards hazards;
    CHECK_FALSE(step(hazards, {{&a, 0, 4}}, {{&a, 0, 4}}));
    CHECK(step(hazards, {{&a, 0, 4}}, {{&a, 0, 4}}));
}

}  // namespace hazards_test
