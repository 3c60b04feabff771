// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/search_style.h"

namespace dragoman::decode {
struct SearchRules;
}
namespace dragoman::tm {
class Memory;
}
namespace dragoman::spec {
struct SearchDefaults;
}
namespace dragoman::text {
class Glossary;
class Vocabulary;
}  // namespace dragoman::text

namespace dragoman::pipeline {

using Tokens = std::vector<std::string>;
struct ModelInfo;

inline constexpr std::string_view kAutomatic = "auto";  // a language that is found in the text
inline constexpr uint32_t kAllHeads = UINT32_MAX;

// Decoding options, named as in CTranslate2's TranslationOptions, checked by resolve(). Options that are not set follow
// the model, or the engine it was made for (spec/search_defaults.h). The members are the rows of capi/options.json.
struct TranslateOptions {
#include "pipeline/model/decoding_fields.inc"
};

// The markup of a text: its tags stay, and the text between them is translated.
enum class Markup { none, html, xml };

// How whole texts are prepared for the model; its members are also rows of capi/options.json. Languages are as
// spec::LanguageTag::find() takes them, kAutomatic, or empty: unknown. No part of a sentence is longer than the model
// can take.
struct TextOptions {
#include "pipeline/model/text_fields.inc"
};

// The model's search with the options applied. A search that the model was not made for has its own defaults, except
// for the beam size. Throws invalid_argument naming the option, its value and what is allowed.
spec::SearchDefaults resolve(const TranslateOptions& options, const spec::SearchDefaults& of_model);

// Throws invalid_argument for options of texts whose values are not allowed.
void check_text(const TextOptions& options);

// Throws invalid_argument where the model lacks the layer or head whose attention is wanted.
void check_attention(const TranslateOptions& options, const ModelInfo& model);

// The rules of resolved options, with tokens as ids. Throws invalid_argument for unknown tokens and for more
// continuations per step than the device can list.
decode::SearchRules search_rules(const TranslateOptions& options, const spec::SearchDefaults& search,
                                 const text::Vocabulary& target, const std::string& eos_token);

}  // namespace dragoman::pipeline
