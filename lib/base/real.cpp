// SPDX-License-Identifier: Apache-2.0
#include "base/real.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <locale>
#include <sstream>
#include <string>

namespace dragoman {
namespace {

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 200000
template <typename Real>
std::errc read(std::string_view text, Real& value) {
    return detail::read_real_by_stream(text, value);
}
#else
template <typename Real>
std::errc read(std::string_view text, Real& value) {
    Real number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (end != text.data() + text.size()) return std::errc::invalid_argument;
    if (error == std::errc{}) value = number;
    return error;
}
#endif

template <typename Real>
std::errc stream(std::string_view text, Real& value) {
    if (text.empty() || text[0] == '+' || text.find_first_not_of("0123456789.eE+-") != text.npos)
        return std::errc::invalid_argument;
    std::istringstream in{std::string(text)};
    in.imbue(std::locale::classic());
    Real number = 0;
    in >> number;
    if (in.fail() && std::abs(number) == std::numeric_limits<Real>::max()) return std::errc::result_out_of_range;
    if (in.fail() || !in.eof()) return std::errc::invalid_argument;
    value = number;
    return {};
}

}  // namespace

std::errc read_real(std::string_view text, float& value) { return read(text, value); }
std::errc read_real(std::string_view text, double& value) { return read(text, value); }

namespace detail {

std::errc read_real_by_stream(std::string_view text, float& value) { return stream(text, value); }
std::errc read_real_by_stream(std::string_view text, double& value) { return stream(text, value); }

}  // namespace detail
}  // namespace dragoman
