// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "pipeline/model/plan.h"
#include "pipeline/value/sentence.h"

namespace dragoman::pipeline {

// The language of a sentence as far as it is known: found in it, named by the options, or the only one of the model's
// that it is not translated to. Else empty.
std::string language_of(const Plan& plan, const Sentence& sentence);

// Words of a text, whatever their case, that begin with a capital: those that the model's vocabulary knows no worse so,
// and what begins a sentence with its full stop. None in languages that do not write nouns with capitals, and of models whose
// vocabulary has no likelihoods.
std::vector<text::Range> capital_words(const Model& model, std::string_view text, const std::string& language);

}  // namespace dragoman::pipeline
