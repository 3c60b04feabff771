// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "documents/strings/inline_tags.h"

namespace dragoman::documents {

// Adds the marks that strings of programs have from Markdown, reStructuredText and wikis: "**words**", "*words*",
// "[words](address)", "`words <address>`_", ":role:`words <address>`", "[[page|words]]" are pairs; ":role:`name`", "|name|",
// "[1]_", "[[name]]", "$NAME$" and "<%= name %>" are words; a star at the beginning or the end, and the second colon of
// "Example::", are points. What would overlap with one of the tags is left out.
void add_inline_marks(std::string_view text, std::vector<InlineTag>& tags);

}  // namespace dragoman::documents
