// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "documents/readers.h"

namespace dragoman::documents {

// The elements of a part of an Office document, by their names without prefixes.
struct RunElements {
    std::vector<std::string_view> paragraphs;  // "p"; may contain texts without runs
    bool preserve = false;                     // texts declare that their blanks count
    bool lines = false;                        // texts have line ends and tabs
    bool tabs = false;                         // texts in runs have tabs
};

// The paragraphs of a part, except those whose text is one of `kept`.
PartPtr read_paragraphs(std::string source, std::string_view name, const RunElements& elements,
                        const std::set<std::string>& kept);

}  // namespace dragoman::documents
