// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "pipeline/model/plan.h"
#include "pipeline/value/sentence.h"

namespace dragoman::pipeline {

// A sentence's wanted terms (Sentence::terms) for the search: target tokens as they are inside a sentence, and the
// source tokens that they stand for. Notes in each whether it is searched for: not if the vocabulary lacks it, nor if
// there are more terms than a search takes. Call it when the sentence's ids are known.
std::vector<decode::Term> search_terms(const Model& model, std::string_view text, Sentence& sentence);

}  // namespace dragoman::pipeline
