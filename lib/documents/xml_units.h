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
    outside,    // text in it is none of ours, elements in it may be
    paragraph,  // its text is a unit
    in_line,    // around words of a paragraph
    point,      // kept as it is
    gap,        // the same, and a blank between words
    island,     // a point in its paragraph; paragraphs may be in it
};
using RoleOf = std::function<Role(const markup::Token& tag, std::string_view local_name, bool in_paragraph)>;

// How texts are written where backslashes escape characters; NULL: they do not.
using Escape = std::string (*)(std::string_view written);

// The paragraphs of an XML document.
PartPtr read_xml_units(std::string source, std::string_view name, bool plain, const RoleOf& role_of,
                       Escape escape = nullptr);

}  // namespace dragoman::documents
