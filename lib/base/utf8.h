// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace dragoman {

// Byte offset of the first byte that does not begin or continue a well-formed UTF-8 sequence, or nothing when all
// of the text is valid. Overlong forms, surrogates, values above U+10FFFF and cut sequences are not well formed;
// the offset is that of the sequence's first byte.
std::optional<std::size_t> first_invalid_utf8(std::string_view text) noexcept;

}  // namespace dragoman
