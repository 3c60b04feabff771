// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "text/characters.h"

namespace dragoman::documents {

using text::Range;

// A text that stands beside the sentence around it: what a picture shows, the title of a link, a note in a line.
struct MarkdownAside {
    Range bytes{};
    std::string plain{};
    char quote = 0;       // around a title
    std::string label{};  // of a picture whose text is the name of its address, too: "![text]"
};

// The end of the characters that close a link's or a picture's text: "](to)", "][name]" or "]".
std::size_t link_end(std::string_view source, std::size_t at);

// The name of an address that is the link's own text, as in "[text]" and "[text][]"; empty: it has another.
// opening, closing: the bytes around the text.
std::string own_label(std::string_view source, Range opening, Range closing);

// The text of a picture, and the title of a link or a picture; without a text where there is none, or where it has marks.
MarkdownAside picture_text(std::string_view source, Range opening, Range closing);
MarkdownAside link_title(std::string_view source, Range closing);
// The text of "^[a note]".
MarkdownAside inline_note(std::string_view source, Range note);
// The title in a line that gives an address a name: "[name]: to "title"".
MarkdownAside definition_title(std::string_view source, Range line);

}  // namespace dragoman::documents
