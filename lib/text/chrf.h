// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace dragoman::text {

// chrF2 (Popović 2015) of a sentence, between 0 and 1, as sacrebleu computes it: runs of up to 6 characters without
// white space; the orders that both texts are long enough for; beta 2.
double chrf(std::string_view translation, std::string_view reference);

}  // namespace dragoman::text
