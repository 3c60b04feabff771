// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "pipeline/value/model_input.h"
#include "pipeline/value/result.h"

namespace dragoman::pipeline {

// Makes the translation of what the model saw one of the sentence: originals in place of their stand-ins, marks where
// attention says that their neighbours went, capitals by the rules of the target language (empty: none of its own).
// Returns where the original of each swap is in it; empty: it was not put back.
std::vector<text::Range> put_back(const Shown& shown, Hypothesis& hypothesis, const std::string& target_language);

}  // namespace dragoman::pipeline
