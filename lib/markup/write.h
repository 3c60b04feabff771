// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "markup/unit.h"

namespace dragoman::markup {

// The replacement for a unit's bytes: new text between stretches of the document itself.
struct Edit {
    struct Piece {
        bool copied = false;  // `range` is in the document, otherwise in `text`
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

// A unit's translation with its marks at their places (project()). HTML only: unsure words, in order, are put in <span
// class="dragoman-unsure" data-score="0.25">, where elements are allowed.
Edit edit(const Unit& unit, std::string_view target, std::span<const Range> places,
          std::span<const Unsure> unsure = {});

// The document with the edits; the rest is unchanged, byte for byte. A stretch that an edit copies may contain other
// edits.
std::string splice(std::string_view source, std::vector<Edit> edits);

}  // namespace dragoman::markup
