// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "pipeline/value/model_input.h"
#include "pipeline/value/result.h"

namespace dragoman::pipeline {

// Turns the translation of the model's input into one of the sentence: originals replace their stand-ins, marks go
// where attention places their neighbours, capitals follow the rules of the target language (empty: no rules). Returns
// the range of each placeholder's original in it; an empty range: it was not put back.
std::vector<text::Range> unmask(const ModelInput& model_input, Translation& hypothesis,
                                const std::string& target_language);

}  // namespace dragoman::pipeline
