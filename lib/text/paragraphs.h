// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "text/split_sentences.h"

namespace dragoman::text {

// The paragraphs of a text in order, without blanks around them and without a list bullet in front.
std::vector<Range> paragraphs(std::string_view text, LineBreaks line_breaks);

}  // namespace dragoman::text
