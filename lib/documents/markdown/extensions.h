// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::documents {

// A stretch of Markdown that stays.
struct KeptMarkdown {
    enum class As {
        point,   // a mark
        word,    // a word of the sentence
        opens,   // the mark before words
        closes,  // the mark behind them
    };
    text::Range range;
    As as = As::point;
};

// Markdown of the same length that CommonMark reads in the same blocks, in which `kept` is text.
struct PlainMarkdown {
    std::string text;
    std::vector<KeptMarkdown> kept;  // in order
    std::vector<text::Range> definitions;  // lines that may name an address: "[name]: to"
};

// Rewrites what many programs add to CommonMark: footnotes and their marks, alerts ("> [!NOTE]"), containers (":::",
// "!!!", "???", "==="), definition lists, abbreviations ("*[HTML]: ..."), citations, attributes in braces, links of wikis
// ("[[page|text]]"), marked words ("==text=="), keys ("++ctrl+c++"), formulas ("\\(a+b\\)"), tags and lines of templates ("{% if %}", "{{< note >}}"),
// and of programs ("import X from 'x'", "export const x = 1").
PlainMarkdown without_extensions(std::string_view source, std::size_t begin);

}  // namespace dragoman::documents
