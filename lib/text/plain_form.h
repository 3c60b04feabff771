// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace dragoman::text {

// The ASCII form of a character, for models that lack it: letters without their accents, plain quotation marks and
// dashes, "..." and the like. Empty: it has none.
std::string plain_form(int32_t c);

}  // namespace dragoman::text
