// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace dragoman::formats {

// Parses a JSON object of at most 64 levels in UTF-8, without repeated keys; `where` begins the messages. Throws
// bad_model.
nlohmann::json parse_json_object(std::string_view where, std::string_view text);

// JSON of a value for a message, cut after 60 bytes.
std::string short_text(const nlohmann::json& value);

}  // namespace dragoman::formats
