// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "text/characters.h"

namespace dragoman::text {

// Replaces a text's bytes by others.
struct Edit {
    Range range;
    std::string text;
};

// Changes a text and the ranges of its tokens. Edits are ordered and do not overlap; those at one place stay in their
// order. A token of changed bytes then stands for what took their place.
void apply(std::span<const Edit> edits, std::string& text, std::span<Range> ranges);

}  // namespace dragoman::text
