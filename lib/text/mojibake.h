// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace dragoman::text {

// Whether a text looks like UTF-8 that was read as Windows' code page 1252 or as Latin-1.
bool is_mojibake(std::string_view text);

}  // namespace dragoman::text
