// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "serve/work/models.h"

namespace serve::api {

// Languages that instructions in free text name: "from language 'en' to language 'de'", "English to German".
struct OpenaiLanguages {
    std::string from, to;  // served tags; empty: not named
    bool told = false;     // a word such as "into" says which is the target
    std::size_t end = 0;   // byte behind the last of the two
};

// Throws Problem (unsupported_language) where a language is named that is not served.
OpenaiLanguages openai_languages(const work::Models& models, std::string_view prompt);

}  // namespace serve::api
