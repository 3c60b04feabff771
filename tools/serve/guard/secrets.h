// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

// Keys and their hashes.
namespace serve::guard {

std::string random_bytes(std::size_t count);  // of the system's generator
std::string new_secret();                     // "dg_" and 256 random bits in letters, digits, '-' and '_'
bool is_own(std::string_view secret);         // has the form of new_secret()

std::string sha256(std::string_view text);    // 32 bytes
// For keys that were made elsewhere and may be guessable: a thief of the file pays `rounds` for each guess.
std::string slow_hash(std::string_view secret, std::string_view salt, int rounds);
bool equal(std::string_view one, std::string_view other);  // in a time that tells only of the lengths
std::string hex(std::string_view bytes);

// The key in a header such as "Bearer KEY"; empty: it has none. `before` in any case.
std::string_view key_of(std::string_view header, std::string_view before);

}  // namespace serve::guard
