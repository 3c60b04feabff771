// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/tokenizer_json.h"
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

// SMaLL-100's: only the target's language, before the source's pieces; nothing is forced.
spec::PromptPattern target_first_prompt(LanguageTokens form, const std::string& eos);
bool names_small100(std::string_view text);  // a class or a path
// Whether a network with M2M-100's vocabulary has SMaLL-100's shape.
bool has_small100_shape(const spec::TransformerConfig& config);

// Whether a token that is no piece is special by its form: "<pad>", a language, "madeupword3".
bool is_special_token_form(std::string_view token);

// Makes special tokens that are no pieces (languages, padding) invisible in texts, and bans tokens of NUL. `added`:
// tokens that the files add, which texts may contain unless they are special. Other tokens that are no pieces are found
// in texts by characters that SentencePiece does not know: M2M-100 has several hundred.
void hide_special_tokens(spec::ModelSpec& spec, const std::vector<formats::AddedToken>& added = {});

}  // namespace dragoman::families
