// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "markup/token.h"
#include "markup/unit.h"

// The roles of elements in a translation, by their names in lower case.
namespace dragoman::markup {

enum class Place {
    block,      // ends a sentence
    in_line,    // part of a sentence
    island,     // part of a sentence, and its own content is separate sentences
};
struct ElementRole {
    Place place = Place::block;
    bool kept = false;       // its content is not translated,
    bool literal = false;    // though it is part of the sentence: code, names
    bool seen = true;        // a reader sees a gap in its place; otherwise it is invisible in a line
    bool empty = false;      // HTML: has no end tag
    bool formatting = false; // HTML: continues after the end of a block in which it began
    bool bounds = false;     // HTML: no element outside is closed inside it
};
ElementRole html_role(std::string_view name);

// Elements kept in XML, where roles are otherwise found from the content: DocBook's and DITA's words for code, notes in
// a line.
ElementRole xml_role(std::string_view name, bool in_line);

// Whether an element is raised, lowered or a link, of HTML or DocBook.
Script script_of(std::string_view name);

bool is_text_only(std::string_view name);  // HTML: its content is text, whatever it looks like
bool closes_paragraph(std::string_view name);  // HTML: its start tag ends an open <p>
bool leaves_foreign(std::string_view name);  // HTML: its start tag ends an open <svg> or <math>

// Whether an attribute's value is text for readers.
bool is_text(const Token& tag, const Attribute& attribute, std::string_view source);

}  // namespace dragoman::markup
