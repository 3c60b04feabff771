// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "text/edits.h"

namespace dragoman::text {

// Names of powers of ten that English and German share, and use for other ones: "2 Trillion Dollar" for "2 trillion
// dollars" becomes "2 Billionen Dollar", "3 billion" for "3 Billionen" becomes "3 trillion". Edits of the translation.
std::vector<Edit> scale_names(std::string_view source, std::string_view target, std::string_view source_language,
                              std::string_view target_language);

}  // namespace dragoman::text
