// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace dragoman::markup {

// The encoding that a document says it is in, in lower case: by its byte order mark, <meta> of HTML or declaration of
// XML. Empty: it says nothing.
std::string declared_charset(std::string_view source, bool html);

// Whether bytes in UTF-8 are what such a document says it has.
bool is_utf8_name(std::string_view charset);

}  // namespace dragoman::markup
