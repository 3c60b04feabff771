// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "spec/language_tag.h"

namespace dragoman::text {

struct LanguageGuess {
    spec::LanguageTag language;
    float probability = 0.0f;  // that all or most of the text is in this language
};

// Languages that a UTF-8 text may be in, the most probable first, three at most; none for a text without letters, or in
// letters of no known language. `expected` makes languages likelier, and excludes none.
std::vector<LanguageGuess> detect_language(std::string_view text, std::span<const spec::LanguageTag> expected = {});

}  // namespace dragoman::text
