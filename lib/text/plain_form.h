// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace dragoman::text {

// What a character can be written as in ASCII, for models that lack it: letters without their accents, plain quotation
// marks and dashes, "..." and the like. Empty: there is nothing of the kind.
std::string plain_form(int32_t c);

}  // namespace dragoman::text
