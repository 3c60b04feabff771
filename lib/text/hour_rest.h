// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "text/edits.h"

namespace dragoman::text {

// Edits of a translation that take away what models leave of "a.m." and "p.m." behind another word: "um 9 Uhr an.m.".
// None where the source has no such mark; at the end a full stop stays.
std::vector<Edit> hour_rests(std::string_view source, std::string_view target);

}  // namespace dragoman::text
