// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::test {

// The parts of a text, "[one][two]".
inline std::string in_brackets(std::string_view text, const std::vector<text::Range>& ranges) {
    std::string all;
    for (const text::Range& range : ranges) all += "[" + std::string(text::part(text, range)) + "]";
    return all;
}

}  // namespace dragoman::test
