// SPDX-License-Identifier: Apache-2.0
#include "documents/strings/inline_items.h"

#include <array>

#include "documents/strings/conversions.h"
#include "documents/strings/inline_marks.h"
#include "text/kept.h"

namespace dragoman::documents {

text::Range with_quotes(std::string_view own, text::Range kept) {
    constexpr std::array<std::array<std::string_view, 2>, 3> kQuotes{
        {{"\u201c", "\u201d"}, {"\u2018", "\u2019"}, {"\u00ab", "\u00bb"}}};
    for (const auto& [open, close] : kQuotes)
        if (own.substr(0, kept.begin).ends_with(open) && own.substr(kept.end).starts_with(close))
            return {kept.begin - open.size(), kept.end + close.size()};
    return kept;
}

std::map<std::size_t, InlineItem> inline_items(std::string_view own, std::size_t begin, bool escaped,
                                               bool (*keeps)(std::string_view word), std::vector<InlineTag>& tags) {
    std::map<std::size_t, InlineItem> items;
    tags = inline_tags(own, escaped);
    add_inline_marks(own, tags);
    for (InlineTag& tag : tags) {
        tag.bytes = {tag.bytes.begin + begin, tag.bytes.end + begin};
        items[tag.bytes.begin] = {tag.bytes.end, &tag};
    }
    const auto add = [&](text::Range kept) { items.try_emplace(kept.begin + begin, InlineItem{kept.end + begin}); };
    for (const text::Range& conversion : conversions(own)) add(with_quotes(own, conversion));
    for (const text::Kept& kept : text::find_kept(own))
        if (kept.as == text::Kept::As::word && keeps(text::part(own, kept.range)))
            if (!items.contains(kept.range.begin + begin)) add(with_quotes(own, kept.range));
    return items;
}

}  // namespace dragoman::documents
