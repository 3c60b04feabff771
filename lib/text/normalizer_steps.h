// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "spec/tokenizer_steps.h"
#include "text/step_text.h"

namespace dragoman::text {

using TextStep = std::function<StepText(const StepText&)>;
// Throws bad_model and unsupported for rules and expressions that cannot be read.
TextStep make_normalizer_step(const spec::NormalizerStep& step);

// The places where a pattern is found, which do not overlap, as Hugging Face's tokenizers find them.
using FindStep = std::function<std::vector<Range>(std::span<const int32_t>)>;
FindStep make_find_step(const spec::StepPattern& pattern);

// A printable character for each byte.
StepText byte_characters_of(const StepText& text);

}  // namespace dragoman::text
