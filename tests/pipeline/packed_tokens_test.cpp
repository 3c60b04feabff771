// SPDX-License-Identifier: Apache-2.0
#include "pipeline/value/packed_tokens.h"

#include <doctest/doctest.h>

#include <random>

namespace dragoman::pipeline::packed_tokens_test {
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
        const PackedTokens packed(tokens, ranges), bare(tokens, {});
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
    CHECK(PackedTokens(tokens, ranges).bytes() <= 410);
}

}  // namespace
}  // namespace dragoman::pipeline::packed_tokens_test
