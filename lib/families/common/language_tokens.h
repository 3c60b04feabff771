// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/model_spec.h"

namespace dragoman::families {

// How a vocabulary spells its languages: "__de__", "deu_Latn", "de_DE".
enum class LanguageTokens { m2m, nllb, mbart };

// Codes in the order of the published vocabularies, where they follow the pieces.
enum class LanguageList { none, m2m100, wmt21, nllb, mbart25, mbart50 };
std::vector<std::string> language_list(LanguageList list);

// The codes that a vocabulary has tokens for, in its order.
std::vector<std::string> languages_of(LanguageTokens form, std::span<const std::string> tokens);
std::string language_token(LanguageTokens form, std::string_view code);  // also for "{from}"

// The form in which a vocabulary has at least two languages.
std::optional<LanguageTokens> find_language_tokens(std::span<const std::string> tokens);

// The prompt of these models: the source's language before its pieces or after its end, the target's as the first
// token.
spec::PromptPattern language_prompt(LanguageTokens form, const std::string& eos, bool language_last);

// Makes tokens of the vocabulary that are no pieces (languages, padding) invisible in texts.
void hide_special_tokens(spec::ModelSpec& spec);

}  // namespace dragoman::families
