// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace serve::work {

// A language as clients and models spell it: "de", "DE", "deu_Latn", "de_DE", "zt", "german".
struct LanguageCode {
    std::string language, script, region;  // "zh", "Hant", "TW"; script and region may be empty

    static std::optional<LanguageCode> read(std::string_view given);
    std::string tag() const;  // "zh-Hant"
    // English, "Portuguese (BR)"; the tag where the language has no name here.
    std::string name() const;
    auto operator<=>(const LanguageCode&) const = default;
};

// Which of `served` is meant: the same tag, otherwise the same language where the script does not differ, rather
// without a region or of the usual one. Empty: none.
std::optional<std::size_t> closest(const LanguageCode& wanted, const std::vector<LanguageCode>& served);

}  // namespace serve::work
