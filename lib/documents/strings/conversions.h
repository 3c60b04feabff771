// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::documents {

// The conversions of printf's kind in a string, "%s" or "%2$d", in order, without "%%".
std::vector<text::Range> conversions(std::string_view text);

// "%2$s" for the second conversion, "%s"; empty for one that has no such form.
std::string numbered(std::string_view conversion, std::size_t number);

// Whether it takes the next argument, whatever that is: "%s", but not "%2$s" or "%(name)s".
bool takes_next(std::string_view conversion);

}  // namespace dragoman::documents
