// SPDX-License-Identifier: Apache-2.0
#include "spec/language_pairs.h"

namespace dragoman::spec {

bool same_language(const LanguageTag& left, const LanguageTag& right) {
    return left.language() == right.language() && left.region() == right.region() &&
           left.likely_script() == right.likely_script();
}

std::vector<std::pair<LanguageTag, LanguageTag>> language_pairs_in(std::string_view name) {
    std::vector<std::pair<LanguageTag, LanguageTag>> pairs;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] != '-' && name[i] != '_') continue;
        const auto from = LanguageTag::find(name.substr(0, i)), to = LanguageTag::find(name.substr(i + 1));
        if (from && to) pairs.emplace_back(*from, *to);
    }
    return pairs;
}

}  // namespace dragoman::spec
