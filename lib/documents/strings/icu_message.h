// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::documents {

struct IcuForm {
    text::Range text{};
    bool plural = false;  // "#" is the number
};

// The innermost texts of an ICU message with forms, "{n, plural, one {# file} other {# files}}". Empty: the message has
// no forms, though it may have arguments.
std::vector<IcuForm> icu_forms(std::string_view message);

// The same message with whole sentences as its forms: what stands around forms moves into each of them. Messages
// without forms, and those that would have too many, stay as they are.
std::string whole_forms(std::string_view message);

}  // namespace dragoman::documents
