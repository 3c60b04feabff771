// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "text/edits.h"

namespace dragoman::text {

// Edits of a translation whose brackets do not pair, "(of France]", though those of its source do: both become brackets
// of the kind of which the translation has fewer pairs than the source.
std::vector<Edit> bracket_pairs(std::string_view source, std::string_view translation);

}  // namespace dragoman::text
