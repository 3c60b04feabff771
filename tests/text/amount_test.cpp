// SPDX-License-Identifier: Apache-2.0
#include "text/amount.h"

#include <doctest/doctest.h>

namespace amount_test {

using namespace dragoman::text;

TEST_CASE("numbers that languages write differently") {
    for (const char* amount : {"1,000.50", "1.000,50", "1,000", "1,5", "-1,000.5", "$2.75", "2.75 USD", "99.5 %",
                               "0.75", "1'000.50", "1\u00a0000", "1,234,567", "12.99", "1,000 / 2,000", "1.234"})
        CHECK_MESSAGE(is_amount(amount), amount);
    for (const char* other :
         {"", "7", "1000", "2.1", "1.0", "22.10", "1.2.3", "31.12.2025", "12/31/2025", "10:30", "10.0.0.1",
          "52.52,13.40", "1,000 dogs", "555.123.4567", "a", "2025-01-31", ".", "1.", "1,"})
        CHECK_MESSAGE(!is_amount(other), other);
}

TEST_CASE("where programs read figures, too") {
    for (const char* amount : {"1,000.50", "$2.75", "1,5", "1.000,50"})
        CHECK_MESSAGE(is_written_amount(amount), amount);
    for (const char* other : {"0.75", "99.5%", "1.234", "12.99", "2.1"})
        CHECK_MESSAGE(!is_written_amount(other), other);
}

}  // namespace amount_test
