// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "text/edits.h"

namespace dragoman::text {

// Edits of a translation that give it back what models write otherwise: a trade mark's sign ("DragomanTM"), two signs at
// the end ("What?!"), a comma at the end ("Dear Tom,"); and that take a second full stop away ("k. A..").
std::vector<Edit> lost_marks(std::string_view source, std::string_view target);

}  // namespace dragoman::text
