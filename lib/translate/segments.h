// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "translate/text_translator.h"

namespace dragoman::translate {

// The texts' sentences, each different one once.
struct Segments {
    struct Unit {
        std::string_view source;
        std::string_view code;          // ">>de<<" or nothing
        const Tokens* prefix = nullptr; // target tokens the translation begins with, or nothing
    };
    struct Place {
        text::Range range;  // in its text; ends with the unit's source, and begins with a language code or with it
        uint32_t unit = 0;
    };
    std::vector<Unit> units;
    std::vector<std::vector<Place>> texts;
};

// Everything points into the texts, the options and the model. Throws invalid_argument.
Segments find_segments(const Model& model, std::span<const Text> texts, const TextOptions& options);

// What belongs between two translations, given what lies between their sources in `text`. `left` and `right` are the
// translations.
std::string_view gap_between(std::string_view text, text::Range gap, bool same_sentence, std::string_view left,
                             std::string_view right);

}  // namespace dragoman::translate
