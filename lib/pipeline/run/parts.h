// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pipeline/value/sentence.h"
#include "text/cut_long.h"

namespace dragoman::pipeline {

// A sentence once more, as its retry asks: whole, or in parts. They have not gone down.
Sentences attempts_of(const Document& document, Sentence& sentence, const text::CountTokens& count);

// Puts the translation of the retry's only part in the place of the sentence's own.
void replace_by_part(Sentence& sentence);

// Likewise, the translation that those of all parts make together.
void join_parts(const Document& document, Sentence& sentence);

}  // namespace dragoman::pipeline
