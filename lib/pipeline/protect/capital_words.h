// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "pipeline/model/plan.h"
#include "pipeline/protect/mask.h"
#include "pipeline/value/sentence.h"

namespace dragoman::pipeline {

// The language of a sentence as far as it is known: found in it, named by the options, or the model's only language
// other than the target. Empty if unknown.
std::string language_of(const Plan& plan, const Sentence& sentence);

// Words of a text, whatever their case, that are written with a capital: those that the model finds no less likely so,
// and abbreviations at the beginning. None in languages that do not capitalise nouns, and for models whose vocabulary
// has no likelihoods.
std::vector<text::Range> capital_words(const Model& model, std::string_view text, const std::string& language);

// Words in capitals, or in capitals by mistake ("HEllo"), that the model finds far more likely in other letters, with
// these. None for models whose vocabulary has no likelihoods.
std::vector<UsualForm> usual_forms(const Model& model, std::string_view text, const std::string& language);

// Whether a text is a word or two in small letters, of which the model may know more with a capital. False for models
// whose vocabulary has no likelihoods.
bool may_want_capital(const Model& model, std::string_view text);

// Takes the capital from the beginning of a text, unless the model finds its first word likelier with it.
void drop_capital(const Model& model, std::string& text, const std::string& language);

}  // namespace dragoman::pipeline
