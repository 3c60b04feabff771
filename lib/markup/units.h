// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "markup/unit.h"

namespace dragoman::markup {

// What becomes of short elements that are kept as they are: their texts belong to those of the units, or do not.
enum class Literals { in_text, as_points };

// Finds what is to be translated in a document in UTF-8. `language` (empty: unknown) is that of the text: elements in
// another one are kept. HTML never fails; XML throws invalid_argument, naming the byte. Both take time and memory in
// proportion to the document, however deep it nests.
Units html_units(std::string_view source, std::string_view language, Literals literals = Literals::in_text);
Units xml_units(std::string_view source, std::string_view language, Literals literals = Literals::in_text);

}  // namespace dragoman::markup
