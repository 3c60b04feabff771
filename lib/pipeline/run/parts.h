// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pipeline/value/sentence.h"
#include "text/cut_long.h"

namespace dragoman::pipeline {

// Makes the attempts that a sentence's retry asks for: the sentence once more, or its parts. They have not gone down.
Sentences attempts_of(const Document& document, Sentence& sentence, const text::CountTokens& count);

// Puts the translation of the retry's only part in the place of the sentence's own.
void replace_by_part(Sentence& sentence);

// Joins the translations of all parts, and puts the result in the place of the sentence's own.
void join_parts(const Document& document, Sentence& sentence);

}  // namespace dragoman::pipeline
