// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace dragoman {

// Byte offset of the first sequence that is not well-formed UTF-8, or nullopt when all of the text is valid. Overlong
// forms, surrogates, values above U+10FFFF and cut sequences are not well formed.
std::optional<std::size_t> first_invalid_utf8(std::string_view text) noexcept;

}  // namespace dragoman
