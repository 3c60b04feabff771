// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace dragoman::text {

// The end of line breaks and tabs that a program's string has as escapes at `at`: "\n\n" in "Hi!\n\nDownload it". Not of
// paths (C:\new), nor of commands in small letters (\nabla). `at`: there are none.
std::size_t line_escapes_end(std::string_view text, std::size_t at);

}  // namespace dragoman::text
