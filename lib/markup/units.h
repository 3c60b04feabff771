// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "markup/unit.h"

namespace dragoman::markup {

// Finds the parts of a document in UTF-8 that are to be translated. `language` (empty: unknown) is the text's: elements
// in another one are kept. HTML never fails; XML throws invalid_argument, naming the byte. Both take time and memory in
// proportion to the document, however deep it nests.
Units html_units(std::string_view source, std::string_view language, Literals literals = Literals::in_text);
Units xml_units(std::string_view source, std::string_view language, Literals literals = Literals::in_text);

}  // namespace dragoman::markup
