// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::text {

// The end of a formula without blanks that begins at `at`: numbers, letters and brackets, with a sign of a power, product,
// quotient or comparison between two of them ("3·10⁸", "x^2", "l×w×h", "E=mc^2"); `at`: there is none.
std::size_t formula_end(std::string_view text, std::size_t at);

// What of a formula is no decimal ("×10^24" in "5.97×10^24"): it stays as it is in every language.
std::vector<Range> beside_decimals(std::string_view text, Range formula);

}  // namespace dragoman::text
