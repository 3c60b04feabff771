// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "text/characters.h"

namespace dragoman::markup {

using text::Range;

inline constexpr std::size_t kNoMark = SIZE_MAX;

// How short elements that are kept unchanged are treated: their texts are part of the units' texts, or names are that
// stand for them ("{_1}"), or nothing is.
enum class Literals { in_text, named, as_points };

// Elements that can touch a word without being part of it.
enum class Script { none, link, lowered, raised };

// Something inside a unit that is not text.
struct Mark {
    enum class Kind {
        pair,   // an element around words; `open` or `close` is empty where its tag is in another unit
        point,  // stays at one place: an empty element, a comment, an element that is kept unchanged
        literal,  // a short element that is kept unchanged with its content, while its text is part of the sentence
    };
    Kind kind = Kind::pair;
    Range open{}, close{};         // bytes of the document; a point or a literal is `open` only
    std::size_t parent = kNoMark;  // the nearest enclosing pair, which comes before it
    Range plain{};                 // the bytes of the unit's text that it encloses; a point's is empty
    Script script = Script::none;
    bool blank_before = false, blank_after = false;  // a point that readers see has blanks around it
};

// A stretch of a document that is translated as one text: a paragraph's, a cell's, an attribute's value.
struct Unit {
    Range bytes{};  // in the document, from its first mark or character to the last one
    Range plain{};  // in Units::text
    std::vector<Mark> marks{};  // in the order of the document
    bool in_order = false;      // tags that do not nest are among the marks: all must stay in their order
    bool attribute = false;
    char quote = 0;             // an attribute's quotation mark
    bool text_only = false;     // no elements may stand in it
};

// Where a document says in which language that is which is translated, and in which direction it is written.
struct LanguagePlaces {
    std::vector<Range> languages{}, directions{};  // values of attributes
    Range page{};  // the name in the start tag of <html>; empty: a part of a page, or another kind of document
    bool page_says_language = false, page_says_direction = false;
};

// Everything in a document that is translated.
struct Units {
    std::string text;  // the units' text, without tags and with references decoded; blank lines between them
    std::vector<Unit> units;
    LanguagePlaces languages{};
};

}  // namespace dragoman::markup
