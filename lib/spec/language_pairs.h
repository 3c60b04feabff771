// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "spec/language_tag.h"

namespace dragoman::spec {

// Whether two tags mean one language in one script, of one region: "zh" and "zh-Hans".
bool same_language(const LanguageTag& left, const LanguageTag& right);

// What a name such as "de-en", "deu_eng" or "zh-Hant-en" may mean: Chinese and others have '-' in theirs, so each '-' and '_'
// may be what stands between the two.
std::vector<std::pair<LanguageTag, LanguageTag>> language_pairs_in(std::string_view name);

}  // namespace dragoman::spec
