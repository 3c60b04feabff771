// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace dragoman::formats {

// Parses JSON in UTF-8, of at most kMaxJsonLevels and as many values as budget_of(where) has, without repeated keys in
// an object. `where`, a file's name or "NAME: header", begins the messages. Throws bad_model.
nlohmann::json parse_json(std::string_view where, std::string_view text);
nlohmann::json parse_json_object(std::string_view where, std::string_view text);  // an object

// JSON of a value for a message, cut after 60 bytes.
std::string short_text(const nlohmann::json& value);

}  // namespace dragoman::formats
