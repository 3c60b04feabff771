// SPDX-License-Identifier: Apache-2.0
#include "base/real.h"

#include <doctest/doctest.h>

namespace dragoman::real_test {
namespace {

template <typename Real>
void check_both(std::string_view text, std::errc error, Real number) {
    CAPTURE(text);
    Real value = 7, by_stream = 7;
    CHECK(read_real(text, value) == error);
    CHECK(value == number);
    CHECK(detail::read_real_by_stream(text, by_stream) == error);
    CHECK(by_stream == number);
}

TEST_CASE("numbers are read whole, by the standard library and in its stead") {
    constexpr std::errc ok{};
    check_both("0", ok, 0.0);
    check_both("-0.25", ok, -0.25);
    check_both(".5", ok, 0.5);
    check_both("1e-3", ok, 1e-3);
    check_both("6.02E+23", ok, 6.02e23);
    check_both("0.1", ok, 0.1);
    check_both("0.1", ok, 0.1f);
    check_both("16777217", ok, 16777216.0f);
}

TEST_CASE("what is no number, or more than one, is refused and changes nothing") {
    for (const char* text : {"", " 1", "1 ", "+1", "1,5", "0x10", "1.5.2", "-", ".", "e5", "1e", "one", "1-2"}) {
        check_both(text, std::errc::invalid_argument, 7.0);
        check_both(text, std::errc::invalid_argument, 7.0f);
    }
    check_both("1e400", std::errc::result_out_of_range, 7.0);
    check_both("-1e50", std::errc::result_out_of_range, 7.0f);
}

}  // namespace
}  // namespace dragoman::real_test
