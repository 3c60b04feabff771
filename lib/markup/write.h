// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "markup/unit.h"

namespace dragoman::markup {

// What takes the place of a unit's bytes: new text between stretches of the document itself.
struct Edit {
    struct Piece {
        bool copied = false;  // `range` is of the document, else of `text`
        Range range{};
    };
    Range bytes{};
    std::string text{};  // escaped
    std::vector<Piece> pieces{};
};

// A word of a translation that readers should look at twice.
struct Unsure {
    Range word{};
    float score = 0.0f;
};

// A unit's translation with its marks at their places (project()). HTML alone: what is unsure, in order, stands in
// <span class="dragoman-unsure" data-score="0.25">, where elements may stand.
Edit edit(const Unit& unit, std::string_view target, std::span<const Range> places,
          std::span<const Unsure> unsure = {});

// The document with the edits, byte for byte as it was elsewhere. A stretch that an edit copies may hold other edits.
std::string splice(std::string_view source, std::vector<Edit> edits);

}  // namespace dragoman::markup
