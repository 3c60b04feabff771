// SPDX-License-Identifier: Apache-2.0
#include "documents/strings/inline_items.h"

#include "documents/strings/conversions.h"
#include "text/kept.h"

namespace dragoman::documents {

std::map<std::size_t, InlineItem> inline_items(std::string_view own, std::size_t begin, bool escaped,
                                               bool (*keeps)(std::string_view word), std::vector<InlineTag>& tags) {
    std::map<std::size_t, InlineItem> items;
    tags = inline_tags(own, escaped);
    for (InlineTag& tag : tags) {
        tag.bytes = {tag.bytes.begin + begin, tag.bytes.end + begin};
        items[tag.bytes.begin] = {tag.bytes.end, &tag};
    }
    const auto add = [&](text::Range kept) { items.try_emplace(kept.begin + begin, InlineItem{kept.end + begin}); };
    for (const text::Range& conversion : conversions(own)) add(conversion);
    for (const text::Kept& kept : text::find_kept(own))
        if (kept.as == text::Kept::As::word && keeps(text::part(own, kept.range))) add(kept.range);
    return items;
}

}  // namespace dragoman::documents
