// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dragoman::formats {

// Decodes base64 with its padding (RFC 4648); nullopt: the text is something else.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace dragoman::formats
