// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace dragoman::text {

// The end of the mark of feet, inches, minutes or seconds at `at`, behind a number: 3.5", 6'. `at`: there is none, as where
// a quotation ends with a number, or an apostrophe follows it: "it was 5", the 1990's.
std::size_t prime_end(std::string_view text, std::size_t at);

// Whether the words behind a number, which ends at `at`, say what such a mark says: "3,5 Zoll", "3.5-inch".
bool says_prime(std::string_view text, std::size_t at);

}  // namespace dragoman::text
