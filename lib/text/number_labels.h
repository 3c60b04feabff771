// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "text/numbers.h"

namespace dragoman::text {

// What a decimal may be besides a value: part of a word ("libboost1.55", "2.71-10"), the number of a heading ("2.1
// Introduction"), or part of a name: behind words such as "Section", perhaps behind others with a capital ("Windows 8.1").
Number::Label label_of(std::string_view text, const Number& number);

// Labels what goes on behind a labelled number: "Sections 2.1, 2.2 and 2.3". `found`: a text's numbers, in order.
void continue_labels(std::string_view text, std::vector<Number>& found);

// The word in front of a number, with one blank in between, or empty.
Range word_before(std::string_view text, std::size_t number);

}  // namespace dragoman::text
