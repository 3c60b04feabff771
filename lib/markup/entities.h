// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace dragoman::markup {

struct Entity {
    std::string_view name;  // without "&"; with ";", except for the few that HTML takes without it
    std::string_view text;  // UTF-8
};
std::span<const Entity> entities();  // HTML's, sorted by name

// A character reference at the beginning of a text.
struct Reference {
    std::size_t bytes = 0;  // its length in the text; 0: there is none
    std::string text{};     // the characters it stands for
};
// Reads a reference in WHATWG's way; `text` begins with "&". Numbers without a character are U+FFFD, those of
// windows-1252 are its characters; in attributes "&copy=" is no reference.
Reference html_reference(std::string_view text, bool in_attribute);
// Reads one of XML's five references and numbers, but none that the document declares.
Reference xml_reference(std::string_view text);

// Appends text with &, <, > and `quote` (0: none) as references.
void append_escaped(std::string& to, std::string_view text, char quote = 0);

}  // namespace dragoman::markup
