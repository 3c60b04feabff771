// SPDX-License-Identifier: Apache-2.0
#include "bench/spread.h"

#include <doctest/doctest.h>

namespace spread_test {

using namespace dragoman::bench;

TEST_CASE("median: the middle value, or the mean of the two in the middle") {
    CHECK(median({3}) == 3);
    CHECK(median({9, 1, 4}) == 4);
    CHECK(median({9, 1, 4, 2}) == 3);
    CHECK(median({}) == 0);
}

TEST_CASE("percentiles by the nearest rank: a value that was measured") {
    std::vector<double> hundred;
    for (int i = 100; i >= 1; --i) hundred.push_back(i);
    CHECK(percentile(hundred, 0.5) == 50);
    CHECK(percentile(hundred, 0.9) == 90);
    CHECK(percentile(hundred, 0.99) == 99);
    CHECK(percentile(hundred, 1.0) == 100);
    CHECK(percentile({5, 7}, 0.5) == 5);
    CHECK(percentile({5, 7}, 0.51) == 7);
    CHECK(percentile({5, 7}, 0.0) == 5);
    CHECK(percentile({}, 0.5) == 0);
}

}  // namespace spread_test
