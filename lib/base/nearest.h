// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dragoman {

// How many bytes must be inserted, deleted or changed to turn one text into the other (Levenshtein 1966).
std::size_t edit_distance(std::string_view a, std::string_view b);

// At most `most` of the names, nearest to `text` first; only the beginning of a long name counts.
std::vector<std::string> nearest_names(std::string_view text, std::span<const std::string> names, std::size_t most);

}  // namespace dragoman
