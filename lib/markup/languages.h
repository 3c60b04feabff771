// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "markup/units.h"
#include "markup/write.h"

namespace dragoman::markup {

// What makes a translated document say the language of its translation, and the direction in which that is written. None
// for a code that is not known.
std::vector<Edit> language_edits(std::string_view source, const LanguagePlaces& places, std::string_view language);

}  // namespace dragoman::markup
