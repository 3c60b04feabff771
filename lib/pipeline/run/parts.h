// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pipeline/model/plan.h"
#include "pipeline/value/sentence.h"

namespace dragoman::pipeline {

// A sentence once more, as Sentence::again says: with more of it carried, or in parts. They have not gone down.
Sentences parts_of(const Plan& plan, const Document& document, Sentence& sentence);

// The translation of a sentence from those of its parts, all of which are finished.
void join_parts(const Document& document, Sentence& sentence);

}  // namespace dragoman::pipeline
