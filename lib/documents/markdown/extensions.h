// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::documents {

// Markdown of the same length that CommonMark reads in the same blocks, in which `kept` is text.
struct PlainMarkdown {
    std::string text;
    std::vector<text::Range> kept;  // in order
};

// Rewrites what many programs add to CommonMark: footnotes and their marks, alerts ("> [!NOTE]"), containers (":::",
// "!!!", "???", "==="), definition lists, citations, attributes in braces.
PlainMarkdown without_extensions(std::string_view source, std::size_t begin);

}  // namespace dragoman::documents
