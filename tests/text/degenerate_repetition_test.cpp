// SPDX-License-Identifier: Apache-2.0
#include "text/degenerate_repetition.h"

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include "text/mojibake.h"
#include "text/plain_form.h"

namespace degenerate_repetition_test {

using namespace dragoman::text;

namespace {

std::vector<uint32_t> counting(std::size_t size) {
    std::vector<uint32_t> tokens(size);
    std::iota(tokens.begin(), tokens.end(), 1u);
    return tokens;
}

std::vector<uint32_t> again(std::vector<uint32_t> tokens, int times) {
    std::vector<uint32_t> all;
    for (int i = 0; i < times; ++i) all.insert(all.end(), tokens.begin(), tokens.end());
    return all;
}

}  // namespace

TEST_CASE("translations that say the same again and again") {
    const auto source = counting(20);
    CHECK_FALSE(is_degenerate(source, counting(20)));
    CHECK(is_degenerate(source, again({5}, 10)));
    CHECK_FALSE(is_degenerate(source, again({5}, 9)));
    CHECK(is_degenerate(source, again({5, 6, 7}, 4)));
    CHECK_FALSE(is_degenerate(source, again({5, 6, 7}, 3)));
    CHECK(is_degenerate(source, again(counting(12), 3)));  // no loop of eight tokens, but few pairs
    CHECK_FALSE(is_degenerate(again({7, 8}, 20), again({5, 6}, 20)));  // as its source
    CHECK_FALSE(is_degenerate({}, {}));
}

TEST_CASE("translations of a word or two that stammer") {
    const std::vector<uint32_t> word{1, 2}, home{5, 5, 5}, pairs{9, 5, 6, 5, 6, 5, 6};
    CHECK(is_degenerate(word, home));
    CHECK(is_degenerate(word, pairs));
    CHECK_FALSE(is_degenerate(home, home));
    CHECK_FALSE(is_degenerate(word, std::vector<uint32_t>{5, 5, 6, 6, 5}));
    CHECK_FALSE(is_degenerate(word, std::vector<uint32_t>{5, 6, 5, 6, 5}));
    CHECK_FALSE(is_degenerate(counting(7), home));
    CHECK_FALSE(is_degenerate(word, {}));
}

TEST_CASE("translations that are long and unlikely") {
    CHECK(is_degenerate(counting(5), counting(15), -2.1f));
    CHECK_FALSE(is_degenerate(counting(5), counting(14), -2.1f));
    CHECK_FALSE(is_degenerate(counting(5), counting(15), -1.9f));
}

TEST_CASE("translations that are far too long") {
    CHECK(is_degenerate(counting(3), counting(34)));
    CHECK_FALSE(is_degenerate(counting(3), counting(33)));
}

TEST_CASE("characters in ASCII") {
    CHECK(plain_form(0xe9) == "e");
    CHECK(plain_form(0x159) == "r");
    CHECK(plain_form(0x142) == "l");
    CHECK(plain_form(0xdf) == "ss");
    CHECK(plain_form(0xfb03) == "ffi");
    CHECK(plain_form(0xff21) == "A");
    CHECK(plain_form(0x3002) == ".");
    CHECK(plain_form(0x201e) == "\"");
    CHECK(plain_form(0xbd) == "1/2");
    for (const int32_t c : {0x6771, 0x5e9, 0x1f600, 0xd7, 0x301, -1}) CHECK(plain_form(c).empty());
}

TEST_CASE("UTF-8 read as another encoding") {
    CHECK(is_mojibake("The caf\xc3\x83\xc2\xa9 is open."));
    CHECK(is_mojibake("It\xc3\xa2\xe2\x82\xac\xe2\x84\xa2s"));
    CHECK(is_mojibake("10 \xc3\x82\xc2\xa3"));
    for (const char* text : {"The caf\xc3\xa9 is open.", "S\xc3\x83O PAULO", "\xc3\xa2 \xe2\x82\xac 5", "\xe6\x9d\xb1"})
        CHECK_MESSAGE(!is_mojibake(text), text);
}

}  // namespace degenerate_repetition_test
