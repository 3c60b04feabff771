// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <system_error>

namespace dragoman {

// Reads the number that the whole text spells; result_out_of_range and invalid_argument leave the value unchanged. It
// is for numbers with a fraction, which std::from_chars of libc++ reads from version 20 on only: the NDK and Xcode may
// have an older one.
std::errc read_real(std::string_view text, float& value);
std::errc read_real(std::string_view text, double& value);

namespace detail {  // used with older versions; refuses infinities

std::errc read_real_by_stream(std::string_view text, float& value);
std::errc read_real_by_stream(std::string_view text, double& value);

}  // namespace detail
}  // namespace dragoman
