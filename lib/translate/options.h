// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "decode/search.h"
#include "text/vocabulary.h"
#include "translate/translator.h"

namespace dragoman::translate {

// Throws invalid_argument naming the option, its value and what is allowed.
void check(const TranslateOptions& options, const ModelInfo& model);

// The rules of checked options, with tokens as ids. Throws invalid_argument for unknown tokens.
decode::SearchRules search_rules(const TranslateOptions& options, const text::Vocabulary& target,
                                 const std::string& eos_token);

}  // namespace dragoman::translate
