// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "spec/tokenizer_steps.h"
#include "text/step_text.h"

namespace dragoman::text {

// A stretch of a text; `begin`: where it began in the text that was given, whatever was put before it since.
struct StepWord {
    StepText text;
    std::size_t begin = 0;
};

using WordStep = std::function<void(const StepWord&, std::vector<StepWord>& words)>;
// Parts a word. Throws bad_model and unsupported for expressions that cannot be read.
WordStep make_split_step(const spec::SplitStep& step);

bool is_word_character(int32_t c);  // letters, marks, digits and connectors

}  // namespace dragoman::text
