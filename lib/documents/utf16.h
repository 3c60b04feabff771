// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace dragoman::documents {

// How the characters of a file are written, as its byte order mark says.
enum class Encoding { utf8, utf16_little, utf16_big };

// Utf8 where there is no mark of another. Throws invalid_argument for the mark of UTF-32.
Encoding encoding_of(std::string_view bytes);

// A file in UTF-8, without the mark of UTF-16. Throws invalid_argument, naming the byte, where a surrogate or a byte is
// alone.
std::string to_utf8(std::string bytes, Encoding from);
// The other way, with the mark.
std::string from_utf8(std::string text, Encoding to);

}  // namespace dragoman::documents
