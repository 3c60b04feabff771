// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "commands.h"

namespace cli {

inline Json to_json(std::span<const dragoman_string> tokens) {
    Json array = Json::array();
    for (const dragoman_string& token : tokens) array.push_back(dragoman::view(token));
    return array;
}

// [begin, end) of each.
inline Json to_json(std::span<const dragoman_range> ranges) {
    Json array = Json::array();
    for (const dragoman_range& range : ranges) array.push_back({range.begin, range.end});
    return array;
}

}  // namespace cli
