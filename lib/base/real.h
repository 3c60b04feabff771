// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <system_error>

namespace dragoman {

// The number that all of a text is; result_out_of_range and invalid_argument leave the value as it was. For numbers with
// a fraction, which std::from_chars of libc++ reads from version 20 on only: the NDK's and Xcode's may be older.
std::errc read_real(std::string_view text, float& value);
std::errc read_real(std::string_view text, double& value);

namespace detail {  // what older ones get; refuses infinities

std::errc read_real_by_stream(std::string_view text, float& value);
std::errc read_real_by_stream(std::string_view text, double& value);

}  // namespace detail
}  // namespace dragoman
