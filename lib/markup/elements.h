// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "markup/token.h"

// What elements are to a translation, by their names in lower case.
namespace dragoman::markup {

enum class Place {
    block,      // ends a sentence
    in_line,    // stands in one
    island,     // stands in one, and what it holds are sentences of their own
};
struct ElementRole {
    Place place = Place::block;
    bool kept = false;       // its content is not translated,
    bool literal = false;    // though it is text of the sentence: code, names
    bool seen = true;        // a reader sees a gap where it stands; else it is nothing in a line
    bool empty = false;      // HTML: has no end tag
    bool formatting = false; // HTML: goes on when a block that it began in has ended
    bool bounds = false;     // HTML: nothing outside is closed in it
};
ElementRole html_role(std::string_view name);

// What is kept in XML, where all else is found by looking: DocBook's and DITA's words for code, notes in a line.
ElementRole xml_role(std::string_view name, bool in_line);

bool is_text_only(std::string_view name);      // HTML: its content is text, whatever it looks like
bool closes_paragraph(std::string_view name);  // HTML: its start tag ends an open <p>
bool leaves_foreign(std::string_view name);    // HTML: its start tag ends an open <svg> or <math>

// Whether an attribute's value is text for readers.
bool is_text(const Token& tag, const Attribute& attribute, std::string_view source);

}  // namespace dragoman::markup
