// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

// Small files that others wrote. What is not as expected is left out here; who needs it says so.
namespace dragoman::store {

inline constexpr uint64_t kMaxTextBytes = 16 << 20;

// The beginning of a file, at most so many bytes. Throws io_error: not there, not a file (also a pipe), not readable.
std::string read_beginning(const std::filesystem::path& path, uint64_t most);
// The JSON object in a file of at most kMaxTextBytes. Throws io_error, bad_model.
nlohmann::json read_json_file(const std::filesystem::path& path);

// The text under a key; "" where there is none, and for another type.
std::string text_in(const nlohmann::json& object, const char* key);
// The texts of a list under a key, or its one text; the other items are left out.
std::vector<std::string> texts_in(const nlohmann::json& object, const char* key);

}  // namespace dragoman::store
