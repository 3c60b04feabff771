// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "text/token_ranges.h"

namespace dragoman::text {

// Takes away the blanks that transformers' clean_up_tokenization() takes away: before full stops, commas, question and
// exclamation marks and English endings ("n't", "'s"), and around an apostrophe between two. Tokens keep their
// characters.
void clean_up_spaces(DetokenizedText& text);

}  // namespace dragoman::text
