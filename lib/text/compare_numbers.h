// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "text/edits.h"
#include "text/numbers.h"

namespace dragoman::text {

struct NumberNotations {
    NumberNotation source{}, target{};
    bool known() const { return source.known() && target.known(); }
};

// What of a text's numbers is not in its translation.
struct NumberChanges {
    std::vector<Edit> edits{};  // of the translation: the same values as its language writes them; in order
    std::vector<Number> missing{}, extra{};  // of the text; of the translation: in order
    std::vector<Range> at_fault{};  // of the text: what is missing, comes twice, or is not in its order
};

// Where as many numbers are missing as others stand in the translation, and no more than `forced`, they are written in
// their place. Numbers up to twelve may be words, signs too. Where a language is unknown, formats may differ. `fixed` and
// `fixed_target`: what stays as it is in the two texts.
NumberChanges compare_numbers(std::string_view source, std::string_view target, const NumberNotations& notations = {},
                              std::span<const Range> fixed = {}, std::span<const Range> fixed_target = {},
                              std::size_t forced = 0);

}  // namespace dragoman::text
