// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "spec/language_tag.h"

namespace dragoman::spec {

// The language that people call so, in English or in the language itself, in any case: "German", "deutsch", "Brazilian
// Portuguese". Nullopt: none is called so.
std::optional<LanguageTag> language_named(std::string_view name);

// What a user said as a code: a name becomes a tag, anything else stays as it is.
std::string code_of_language(std::string_view said);

}  // namespace dragoman::spec
