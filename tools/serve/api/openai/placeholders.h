// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace serve::api {

// Placeholders as Weblate writes them, @@PH12@@, must come back byte by byte: they travel as empty elements of XML.
bool has_placeholders(std::string_view text);
std::string with_elements(std::string_view text);       // one document of XML, an element for each line
std::string with_placeholders(std::string_view xml);    // the text again

}  // namespace serve::api
