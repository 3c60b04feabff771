// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "documents/readers.h"

namespace dragoman::documents {

// How units are written.
struct MarkdownUnits {
    struct Label {
        std::size_t open = 0;  // of the link
        Range close{};         // the mark behind the text
        std::string name{};
    };
    struct Aside {
        char quote = 0;
        std::string label{};
    };
    std::set<std::size_t> gaps{};  // where lines are broken
    std::set<std::size_t> html{};  // units of blocks of HTML
    std::map<std::size_t, Aside> asides{};  // units beside sentences (MarkdownAside)
    std::map<std::size_t, Label> labels{};  // of links whose text is their name, by the mark behind the text
};

// Markdown with its units; characters that would be read as marks get a backslash.
std::unique_ptr<SplicedPart> markdown_part(std::string source, Units units, MarkdownUnits kinds);

}  // namespace dragoman::documents
