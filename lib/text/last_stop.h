// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "text/edits.h"

namespace dragoman::text {

// The stop that a translation lacks at its end, behind a number or an hour: what models write as "5 p.m." ends a
// sentence with the stop of its mark, which is gone once the hour is "17 Uhr". At most one edit of `target`.
std::vector<Edit> last_stop(std::string_view source, std::string_view target);

}  // namespace dragoman::text
