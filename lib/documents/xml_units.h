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
    gap,        // kept unchanged, and a blank between words
    island,     // a point in its paragraph; may contain paragraphs
};
using RoleOf = std::function<Role(const markup::Token& tag, std::string_view local_name, bool in_paragraph)>;

// The notation of texts in which backslashes escape characters; NULL: they do not.
using Escape = std::string (*)(std::string_view written);

// Reads the paragraphs of an XML document.
PartPtr read_xml_units(std::string source, std::string_view name, bool plain, const RoleOf& role_of,
                       Escape escape = nullptr);

}  // namespace dragoman::documents
