// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pipeline/plan.h"
#include "pipeline/stage.h"

// One stage, one file. `plan` outlives what is made.
namespace dragoman::pipeline {

// A text's sentences; their translations with what lies between them.
std::unique_ptr<const Stage> sentences_stage(const Plan& plan);
// The language that a sentence is to be translated to: what the options say, or a code in the text.
std::unique_ptr<const Stage> prompt_stage(const Plan& plan);
// Text as the model's pieces, with the bytes that they stand for; what is too long is cut. And pieces as text.
std::unique_ptr<const Stage> pieces_stage(const Plan& plan);
// An input of tokens as one sentence. And pieces as text, where the model has a tokenizer.
std::unique_ptr<const Stage> tokens_stage(const Plan& plan);
// What says nothing to the model is copied.
std::unique_ptr<const Stage> copies_stage(const Plan& plan);
// Tokens as ids, with those that begin and end every source. And ids as tokens, with scores and attention.
std::unique_ptr<const Stage> ids_stage(const Plan& plan);

// What belongs between two translations, given what lies between their sources in `text`. `left` and `right` are the
// translations.
std::string_view gap_between(std::string_view text, text::Range gap, bool same_sentence, std::string_view left,
                             std::string_view right);

}  // namespace dragoman::pipeline
