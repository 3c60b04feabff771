// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "documents/readers.h"
#include "markup/unit_builder.h"

namespace dragoman::documents {

// The role of an element for the sentences of a vocabulary of XML.
enum class Role {
    outside,    // its own text is not translated, but elements inside may be
    paragraph,  // its text is a unit
    in_line,    // around words of a paragraph
    point,      // kept unchanged
    word,       // kept unchanged; it stands for a word of its sentence
    gap,        // kept unchanged, and a blank between words
    divider,    // kept unchanged, and ends a text; inside an element in a line it is a gap
    island,     // a point in its paragraph; may contain paragraphs
};
using RoleOf = std::function<Role(const markup::Token& tag, std::string_view local_name, bool in_paragraph)>;

// A vocabulary's own notation of texts inside XML.
struct TextNotation {
    // Adds a text to the unit that is being built, and what is a text of its own to `units`. `gaps`: places of tabs and
    // line ends.
    void (*read)(std::string_view source, const markup::Token& text, markup::UnitBuilder& unit, Units& units,
                 std::set<std::size_t>& gaps);
    // Text of a translation, already with XML's references, that replaces these bytes.
    std::string (*write)(std::string_view text, std::string_view replaced);
};

using ScriptOf = std::function<markup::Script(const markup::Token& tag)>;

// Reads the paragraphs of an XML document. script_of: for elements in lines; none: names of HTML say it.
PartPtr read_xml_units(std::string source, std::string_view name, bool plain, const RoleOf& role_of,
                       const TextNotation* notation = nullptr, const ScriptOf& script_of = {});

}  // namespace dragoman::documents
