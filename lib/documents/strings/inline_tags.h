// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::documents {

// A tag inside a string of a program.
struct InlineTag {
    enum class Kind {
        pair,    // around words; `other` is its other end
        point,   // has no end: <br> in a line, <img>
        divides, // a line or block ends here: <br>, <p>, </li>
        word,    // a name in angle brackets: "<file>"
    };
    Kind kind = Kind::point;
    text::Range bytes{};
    std::string name{};  // in lower case
    bool closes = false;
    bool empty = false;     // "<br/>"
    std::size_t other = 0;  // index of the other tag of a pair
};

// The tags of HTML, ICU and React (<0>, <link>) in a text, in order. escaped: they are written as &lt;b&gt;.
std::vector<InlineTag> inline_tags(std::string_view text, bool escaped = false);

}  // namespace dragoman::documents
