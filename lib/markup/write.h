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

// A unit's translation with its marks at their places (project()).
Edit edit(const Unit& unit, std::string_view target, std::span<const Range> places);

// The document with the edits, byte for byte as it was elsewhere. A stretch that an edit copies may hold other edits.
std::string splice(std::string_view source, std::vector<Edit> edits);

}  // namespace dragoman::markup
