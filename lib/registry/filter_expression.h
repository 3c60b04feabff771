// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace dragoman::registry {

// Whether a record is meant for a program of this environment: comparisons such as env.channel == 'release' with !, &&,
// || and parentheses; an empty expression holds. Nullopt: it says something else, or names a variable that is not
// there.
std::optional<bool> filter_holds(std::string_view expression, const std::map<std::string, std::string>& environment);

}  // namespace dragoman::registry
