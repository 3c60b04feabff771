// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "text/characters.h"

namespace dragoman::markup {

using text::Range;

inline constexpr std::size_t kNoMark = SIZE_MAX;

// What stands inside a unit without being text.
struct Mark {
    enum class Kind {
        pair,   // an element around words; `open` or `close` is empty where its tag is in another unit
        point,  // stays at one place: an empty element, a comment, an element that is kept as it is
        literal,  // a short element that is kept as it is, content and all, while its text is part of the sentence
    };
    Kind kind = Kind::pair;
    Range open{}, close{};         // bytes of the document; all of a point or a literal is `open`
    std::size_t parent = kNoMark;  // the nearest pair around it, which comes before it
    Range plain{};                 // bytes of the unit's text that it is around; a point's is empty
    bool blank_before = false, blank_after = false;  // a point that readers see has blanks beside it
};

// A stretch of a document that is translated as one text: a paragraph's, a cell's, an attribute's value.
struct Unit {
    Range bytes{};  // of the document, from its first mark or character to the last one
    Range plain{};  // of Units::text
    std::vector<Mark> marks{};  // in the order of the document
    bool in_order = false;      // tags that do not nest are among the marks: all must stay in their order
    bool attribute = false;
    char quote = 0;             // of an attribute
    bool text_only = false;     // no elements may stand in it
};

// All that is translated in a document.
struct Units {
    std::string text;  // of the units, without tags and with references read; blank lines between them
    std::vector<Unit> units;
};

}  // namespace dragoman::markup
