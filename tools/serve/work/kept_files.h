// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace serve::work {

// 128 bits that nobody guesses, in 32 hexadecimal digits; with dashes, as UUIDs are written.
std::string random_id();
std::string random_uuid();
// Whether it has the form of one of those, so that it may be part of a path.
bool is_id(std::string_view text);

// The file is there whole or as it was, whatever ends the program. Throws Problem (failed), without its path.
void write_whole(const std::filesystem::path& file, std::string_view bytes);
// Throws std::runtime_error: not there, not readable, larger.
std::string read_whole(const std::filesystem::path& file, std::uint64_t most);
// A file that is broken is kept for the operator beside the others, and read no more. Gives a note for the log.
std::string set_aside(const std::filesystem::path& file, const std::string& why);

std::int64_t seconds_of(std::chrono::system_clock::time_point time);
std::chrono::system_clock::time_point time_of(std::int64_t seconds);

// The bytes of a hash, SHA-256, in hexadecimal digits.
std::string sha256_of(std::string_view bytes);

// Throws Problem (bad_request) that says where in `thing` the bytes are no UTF-8.
void check_utf8(std::string_view text, const std::string& thing);

}  // namespace serve::work
