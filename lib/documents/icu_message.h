// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::documents {

// The innermost texts of an ICU message with forms, "{n, plural, one {# file} other {# files}}". Empty: the message has
// no forms, though it may have arguments.
std::vector<text::Range> icu_forms(std::string_view message);

}  // namespace dragoman::documents
