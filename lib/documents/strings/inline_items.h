// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "documents/strings/inline_tags.h"

namespace dragoman::documents {

// What stands between the words of a string.
struct InlineItem {
    std::size_t end = 0;
    const InlineTag* tag = nullptr;  // null: something that is kept, such as a placeholder
};

// What is kept, with the quotation marks around it alone: models lose one of the two.
text::Range with_quotes(std::string_view own, text::Range kept);

// Finds tags, marks of Markdown and its like, conversions of printf's kind, and of what texts keep the words that `keeps` takes, by their places. `own`
// stands at byte `begin` of a longer text, in whose bytes everything is counted. `tags` holds the tags that items are.
std::map<std::size_t, InlineItem> inline_items(std::string_view own, std::size_t begin, bool escaped,
                                               bool (*keeps)(std::string_view word), std::vector<InlineTag>& tags);

}  // namespace dragoman::documents
