// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace serve {

// Fields in the order they were set; numbers with as many digits as a double has.
using Json = nlohmann::ordered_json;

// JSON as JavaScript and Python write it of a text that was cut inside an emoji: an escape that is half of a pair of
// surrogates ("\ud83d") stands for no character, and becomes "\ufffd". Nothing: there is none.
std::optional<std::string> without_lone_surrogates(std::string_view json);

// What a client wrote, such halves included; a discarded value where it is no JSON.
Json parse_leniently(std::string_view text);

}  // namespace serve
