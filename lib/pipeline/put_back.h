// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "pipeline/result.h"
#include "pipeline/shown.h"

namespace dragoman::pipeline {

// Makes the translation of what the model saw one of the sentence: originals in place of their stand-ins, marks where
// attention says that their neighbours went, capitals by the rules of the target language (empty: none of its own).
void put_back(const Shown& shown, Hypothesis& hypothesis, const std::string& target_language);

}  // namespace dragoman::pipeline
