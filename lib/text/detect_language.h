// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "spec/language_tag.h"

namespace dragoman::text {

// Languages that a UTF-8 text may be in, the most probable first, three at most; none for a text without letters, or in
// letters of no known language. `expected` makes languages likelier, and excludes none.
std::vector<spec::LanguageGuess> detect_language(std::string_view text,
                                                 std::span<const spec::LanguageTag> expected = {});

}  // namespace dragoman::text
