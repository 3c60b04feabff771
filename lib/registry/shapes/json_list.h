// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "registry/registry.h"

namespace dragoman::registry {

// A list in JSON and the items in it, which lie at the data file's `at`: those of an array, or of all arrays in an
// object.
struct JsonList {
    // Throws bad_model for a text that is not JSON, and where there are no items.
    JsonList(const Registry& registry, std::string_view body);

    nlohmann::json list;
    std::vector<const nlohmann::json*> items;
};

}  // namespace dragoman::registry
