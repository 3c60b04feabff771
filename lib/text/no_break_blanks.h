// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "text/edits.h"

namespace dragoman::text {

// Edits of a translation that give it back the blanks at which no line may end: between a number and its unit ("5 kg"),
// between a word and a number ("page 5"), and between words that are the same in both texts ("Mr. Smith").
std::vector<Edit> no_break_blanks(std::string_view source, std::string_view target);

}  // namespace dragoman::text
