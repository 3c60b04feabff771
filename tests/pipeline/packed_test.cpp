// SPDX-License-Identifier: Apache-2.0
#include "pipeline/value/packed.h"

#include <doctest/doctest.h>

#include <random>

namespace dragoman::pipeline::packed_test {
namespace {

TEST_CASE("packed tokens: what went in comes out") {
    std::mt19937 random(35);
    const auto below = [&](std::size_t n) { return std::size_t(random()) % n; };
    for (int round = 0; round < 200; ++round) {
        Tokens tokens;
        std::vector<text::Range> ranges;
        std::size_t at = below(2) ? below(5'000'000'000) : 0;
        for (std::size_t i = below(40); i > 0; --i) {
            tokens.push_back(std::string(below(4) ? below(6) : below(300), char(below(256))));
            at += below(3) ? below(9) : 0;
            at -= below(20) ? 0 : std::min<std::size_t>(at, below(9));  // marks in another order
            ranges.push_back({at, at + below(200)});
        }
        const std::size_t begin = below(2) ? below(5'000'000'000) : 0;
        std::string with, without;
        pack_tokens(with, tokens, ranges, begin);
        pack_tokens(without, tokens, {}, begin);
        const PackedTokens packed(with, tokens.size(), !ranges.empty(), begin),
            bare(without, tokens.size(), false, begin);
        CHECK(packed.size() == tokens.size());
        CHECK(packed.empty() == tokens.empty());
        CHECK(packed.tokens() == tokens);
        CHECK(packed.ranges() == ranges);
        CHECK(bare.tokens() == tokens);
        CHECK(bare.ranges().empty());
        std::size_t text_bytes = 0;
        for (const std::string& token : tokens) text_bytes += token.size();
        CHECK(bare.bytes() >= text_bytes);
    }
    CHECK(PackedTokens().tokens().empty());
}

TEST_CASE("packed tokens: four bytes for a digit, behind a text of megabytes, too") {
    Tokens tokens;
    std::vector<text::Range> ranges;
    for (std::size_t i = 0; i < 100; ++i) {
        tokens.emplace_back("5");
        ranges.push_back({4'000'000 + i, 4'000'001 + i});
    }
    std::string bytes;
    pack_tokens(bytes, tokens, ranges, ranges.front().begin);
    CHECK(bytes.size() <= 400);
}

TEST_CASE("places of sentences come out as they went in, in two bytes each") {
    std::mt19937 random(7);
    Places places;
    std::vector<text::Range> given;
    std::size_t at = 0;
    for (int i = 0; i < 2000; ++i) {
        at += random() % 4 ? random() % 10 : random() % 100'000;
        at -= random() % 50 ? 0 : std::min<std::size_t>(at, random() % 9);  // an order that nobody promises
        given.push_back({at, at + random() % 300});
        places.add(given.back());
        at = given.back().end;
    }
    CHECK(places.all() == given);
    for (std::size_t i = 0; i < given.size(); ++i) {
        REQUIRE(places.left() == given.size() - i);
        const Places::Place place = places.take();
        CHECK(place.range == given[i]);
        CHECK_FALSE(place.continues);
        if (i % 100) continue;
        places.put_back({given[i].end - 1, given[i].end});
        CHECK(places.left() == given.size() - i);
        const Places::Place rest = places.take();
        CHECK(rest.range == text::Range{given[i].end - 1, given[i].end});
        CHECK(rest.continues);
    }
    CHECK(places.left() == 0);

    Places line;
    for (std::size_t i = 0; i < 100'000; ++i) line.add({2 * i, 2 * i + 1});
    CHECK(line.bytes() <= 2 * 2 * 100'000);  // a string may have as much room again
}

TEST_CASE("packed records: any one of them, and the tokens before it") {
    std::mt19937 random(14);
    PackedRecords records;
    std::vector<std::string> given;
    std::vector<std::size_t> sums{0};
    for (int i = 0; i < 1000; ++i) {
        given.push_back(std::string(random() % 8 ? random() % 6 : random() % 300, char(random() % 256)));
        const std::size_t tokens = random() % 200;
        records.add(given.back(), tokens);
        sums.push_back(sums.back() + tokens);
    }
    REQUIRE(records.size() == given.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
        CHECK(records[i].bytes == given[i]);
        CHECK(records[i].tokens == sums[i + 1] - sums[i]);
        CHECK(records.tokens_before(i) == sums[i]);
    }
    CHECK(records.tokens_before(given.size()) == sums.back());
    CHECK(PackedRecords().bytes() == 0);
}

}  // namespace
}  // namespace dragoman::pipeline::packed_test
