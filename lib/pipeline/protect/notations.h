// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pipeline/model/plan.h"
#include "pipeline/value/sentence.h"
#include "text/compare_numbers.h"

namespace dragoman::pipeline {

// How the two languages of a sentence write numbers, as far as they are known.
text::NumberNotations notations_of(const Plan& plan, const Sentence& sentence);

}  // namespace dragoman::pipeline
