// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

#include "markup/token.h"

namespace dragoman::markup {

// Gives the tokens of an XML document in UTF-8 to `take`, which must not throw. Neither external entities nor those
// that the document declares are read: references to them are tokens. Throws invalid_argument for a document that is
// not well-formed, naming the byte.
void xml_tokens(std::string_view source, const std::function<void(const Token&)>& take);

}  // namespace dragoman::markup
