// SPDX-License-Identifier: Apache-2.0
#include "documents/strings/inline_tags.h"

#include <algorithm>
#include <array>

#include "documents/is_one.h"
#include "markup/ascii.h"

namespace dragoman::documents {
namespace {

using TagKind = InlineTag::Kind;

constexpr std::array<std::string_view, 27> kDividing{
    "br", "p",  "div", "ul", "ol", "li", "dl",         "dt",    "dd",    "table", "tr",      "td",      "th", "hr",
    "h1", "h2", "h3",  "h4", "h5", "h6", "blockquote", "tbody", "thead", "pre",   "section", "article", "nav"};
constexpr std::array<std::string_view, 10> kStyles{"a", "b", "i", "u", "s", "em", "font", "small", "span", "strong"};
constexpr std::array<std::string_view, 5> kEmpty{"img", "input", "wbr", "hr", "br"};

constexpr std::size_t kLongestTag = 4096, kMostOpen = 256;  // bytes; tags

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_in_name(char c) { return markup::is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == ':' || c == '.'; }

// The tag that begins at `at`; without a name where none does.
InlineTag tag_at(std::string_view text, std::size_t at, std::string_view open, std::string_view close) {
    if (!text.substr(at).starts_with(open)) return {};
    InlineTag tag;
    std::size_t end = at + open.size();
    tag.closes = text.substr(end).starts_with('/');
    end += tag.closes;
    while (end < text.size() && is_in_name(text[end])) tag.name += markup::lower(text[end++]);
    if (tag.name.empty() || !(markup::is_letter(tag.name[0]) || std::ranges::all_of(tag.name, is_digit))) return {};
    if (is_digit(tag.name[0]) && !text.substr(end).starts_with(close) && !text.substr(end).starts_with('/')) return {};
    char quote = 0;
    for (const std::size_t begin = end; end < std::min(text.size(), begin + kLongestTag); ++end) {
        if (!quote && text.substr(end).starts_with(close)) {
            tag.empty = text[end - 1] == '/';
            if (end > begin && !markup::is_blank(text[begin]) && text[begin] != '/') return {};
            // Angular's <x id="INTERPOLATION"/> stands for a value.
            if (tag.empty && text.substr(at, end - at).find("INTERPOLATION") != text.npos) tag.kind = TagKind::word;
            else if (tag.empty || is_one(kEmpty, tag.name)) tag.kind = TagKind::point;
            else tag.kind = tag.closes ? TagKind::point : TagKind::word;  // until its other end is found
            if (is_one(kDividing, tag.name)) tag.kind = TagKind::divides;
            tag.bytes = {at, end + close.size()};
            return tag;
        }
        if (text.substr(end).starts_with(open)) return {};
        if (quote) quote = text[end] == quote ? 0 : quote;
        else if ((text[end] == '"' || text[end] == '\'') && text[end - 1] == '=') quote = text[end];
    }
    return {};
}

}  // namespace

std::vector<InlineTag> inline_tags(std::string_view text, bool escaped) {
    const std::string_view open = escaped ? "&lt;" : "<", close = escaped ? "&gt;" : ">";
    std::vector<InlineTag> tags;
    std::vector<std::size_t> unclosed;
    for (std::size_t at = text.find(open); at != std::string_view::npos; at = text.find(open, at)) {
        InlineTag tag = tag_at(text, at, open, close);
        if (tag.name.empty()) {
            at += open.size();
            continue;
        }
        at = tag.bytes.end;
        if (tag.kind == TagKind::word && !tag.empty && unclosed.size() < kMostOpen) unclosed.push_back(tags.size());
        if (tag.closes && tag.kind == TagKind::point) {
            const auto begun = std::find_if(unclosed.rbegin(), unclosed.rend(),
                                            [&](std::size_t one) { return tags[one].name == tag.name; });
            if (begun != unclosed.rend()) {
                tag.kind = tags[*begun].kind = TagKind::pair;
                tag.other = *begun;
                tags[*begun].other = tags.size();
                unclosed.erase(std::prev(begun.base()), unclosed.end());
            }
        }
        tags.push_back(std::move(tag));
    }
    for (InlineTag& tag : tags) {
        if (tag.empty) continue;
        const bool bare = tag.bytes.size() == open.size() + tag.name.size() + close.size();
        if (tag.kind == TagKind::word && (!bare || is_one(kStyles, tag.name))) tag.kind = TagKind::point;
    }
    return tags;
}

}  // namespace dragoman::documents
