// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dragoman {

// How many bytes must be put in, taken out or changed to make one text of the other (Levenshtein 1966).
std::size_t edit_distance(std::string_view a, std::string_view b);

// At most `most` of the names, the nearest to `text` first; of long names the beginning counts.
std::vector<std::string> nearest_names(std::string_view text, std::span<const std::string> names, std::size_t most);

}  // namespace dragoman
