// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::text {

// What stands for a million, a billion or hours behind a number, and the word for it, which models know.
struct ScaleWord {
    Range range{};
    std::string word{};
};

// "3,5 Mrd." and "2 Mio." in German, "$3.5bn" and "\u00a32m" in English. `language`: the text's, as BCP 47 names it; none
// for other languages.
std::vector<ScaleWord> scale_words(std::string_view text, std::string_view language);

}  // namespace dragoman::text
