// SPDX-License-Identifier: Apache-2.0
// Each byte counts, and where it is, and how many there are.
#include "base/fingerprint.h"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <utility>

namespace fingerprint_test {

using namespace dragoman;

namespace {

auto of(std::string_view text) {
    Fingerprint result;
    result.add(text);
    return std::pair(result.low(), result.high());
}

}  // namespace

TEST_CASE("other content has another fingerprint") {
    std::set<uint64_t> low, high;
    std::size_t count = 0;
    const auto add = [&](const std::string& text) {
        ++count;
        low.insert(of(text).first);
        high.insert(of(text).second);
    };
    for (std::size_t size = 0; size < 140; ++size) add(std::string(size, '\0'));
    for (const std::size_t size : {1u, 8u, 31u, 32u, 33u, 100u})
        for (std::size_t at = 0; at < size; ++at)
            for (int bit = 0; bit < 8; ++bit) {
                std::string text(size, '\0');
                text[at] = char(1 << bit);
                add(text);
            }
    for (std::size_t first = 0; first < 96; first += 4)  // signs of two floats
        for (std::size_t second = 0; second < first; second += 4) {
            std::string text(100, '\1');
            text[first + 3] = text[second + 3] = '\x81';
            add(text);
        }
    add("abcdefghABCDEFGH01234567abcdefgh");
    add("ABCDEFGHabcdefgh01234567abcdefgh");  // words that changed places
    CHECK(low.size() == count);
    CHECK(high.size() == count);
    CHECK(of("the same") == of("the same"));
}

TEST_CASE("what was added in parts differs from the whole") {
    Fingerprint parts, number, other;
    parts.add("ab");
    parts.add("c");
    CHECK(parts.low() != of("abc").first);
    number.add(1.0f);
    other.add(1.5f);
    CHECK_FALSE(number == other);
    Fingerprint nested;
    nested.add(number);
    CHECK_FALSE(nested == number);
}

}  // namespace fingerprint_test
