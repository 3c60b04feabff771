// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace serve {

// Fields in the order they were set; numbers with as many digits as a double has.
using Json = nlohmann::ordered_json;

}  // namespace serve
