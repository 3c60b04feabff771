// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "text/offset_map.h"

namespace dragoman::text {

struct Normalized {
    std::string text;
    OffsetMap map;  // from this text to the given one
};

// A sentence in the form that tokenizers expect, with the same meaning: Unicode's form NFC; every kind of white space a
// plain space; no controls, byte order marks, soft hyphens, directional marks or zero-width spaces inside words. Line
// breaks become a space, or nothing between two characters of a script without spaces. The text must be UTF-8.
Normalized normalize(std::string_view text);

}  // namespace dragoman::text
