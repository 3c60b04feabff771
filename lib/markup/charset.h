// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace dragoman::markup {

// The encoding that a document declares, in lower case: by its byte order mark, <meta> of HTML or declaration of XML.
// Empty: it declares none.
std::string declared_charset(std::string_view source, bool html);

// Whether bytes in UTF-8 are valid for a document that declares this.
bool is_utf8_name(std::string_view charset);

}  // namespace dragoman::markup
