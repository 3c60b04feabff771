// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "decode/search.h"
#include "spec/search_defaults.h"
#include "text/vocabulary.h"
#include "translate/translator.h"

namespace dragoman::translate {

// The model's way of searching with what the options set. A search the model was not made for brings its own defaults,
// except for the beam size. Throws invalid_argument naming the option, its value and what is allowed.
spec::SearchDefaults settle(const TranslateOptions& options, const spec::SearchDefaults& of_model);

// Whether the model has the layer and head that attention is wanted of.
void check_attention(const TranslateOptions& options, const ModelInfo& model);

// The rules of settled options, with tokens as ids. Throws invalid_argument for unknown tokens and for more
// continuations per step than the device can list.
decode::SearchRules search_rules(const TranslateOptions& options, const spec::SearchDefaults& search,
                                 const text::Vocabulary& target, const std::string& eos_token);

}  // namespace dragoman::translate
