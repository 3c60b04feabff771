// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::markup {

using text::Range;

struct Attribute {
    std::string name;  // HTML: in lower case
    Range value{};     // bytes of the document, without quotes
    char quote = 0;    // 0: none
};

// A stretch of a document. Tokens follow each other without a gap, except that the end tag implied by XML's <a/> is
// empty.
struct Token {
    enum class Kind {
        text,
        start,
        end,
        reference,  // to an entity that an XML document declares
        other,      // comments, doctypes, instructions, and text that browsers drop
    };
    Kind kind = Kind::other;
    Range bytes{};
    Range content{};         // of a text, without the delimiters of a CDATA section
    bool references = true;  // a text has character references
    bool self_closing = false;
    std::string name{};      // name of a tag; HTML: in lower case
    std::vector<Attribute> attributes{};

    // The first attribute of that name, which is the one that counts.
    const Attribute* attribute(std::string_view wanted) const {
        for (const Attribute& one : attributes)
            if (one.name == wanted) return &one;
        return nullptr;
    }
};

}  // namespace dragoman::markup
