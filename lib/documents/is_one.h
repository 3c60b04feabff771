// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace dragoman::documents {

// Whether a name is among those of a list.
template <std::size_t Size>
bool is_one(const std::array<std::string_view, Size>& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

}  // namespace dragoman::documents
