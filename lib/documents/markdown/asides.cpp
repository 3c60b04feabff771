// SPDX-License-Identifier: Apache-2.0
#include "documents/markdown/asides.h"

#include <algorithm>

#include "markup/ascii.h"
#include "markup/entities.h"

namespace dragoman::documents {
namespace {

bool is_mark(char c) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

// What a text without marks of its own says; empty where it has some.
std::string plain_of(std::string_view written, std::string_view marks) {
    std::string plain;
    for (std::size_t at = 0; at < written.size();) {
        const char c = written[at];
        const auto found = c == '&' ? markup::html_reference(written.substr(at), false) : markup::Reference{};
        if (found.bytes > 0) {
            plain += found.text;
            at += found.bytes;
        } else if (c == '\\' && at + 1 < written.size() && is_mark(written[at + 1])) {
            plain += written[at + 1];
            at += 2;
        } else if (marks.find(c) != marks.npos) {
            return "";
        } else {
            plain += c;
            ++at;
        }
    }
    return plain;
}

MarkdownAside aside(std::string_view source, Range bytes, std::string_view marks, char quote = 0) {
    bytes = text::trim(source, bytes);
    return {.bytes = bytes, .plain = plain_of(text::part(source, bytes), marks), .quote = quote};
}

constexpr std::string_view kAsideMarks = "*_`<[]$~|\n\r";

// The place behind an address: "<a b>", "a(b)c".
std::size_t address_end(std::string_view source, std::size_t at, std::size_t end) {
    if (at < end && source[at] == '<') return std::min(source.find('>', at), end - 1) + 1;
    for (std::size_t depth = 0; at < end && !markup::is_blank(source[at]); ++at) {
        if (source[at] == '\\') ++at;
        else if (source[at] == '(') ++depth;
        else if (source[at] == ')' && depth-- == 0) break;
    }
    return std::min(at, end);
}

// A title that begins behind `at`, and nothing but blanks behind it.
MarkdownAside title_behind(std::string_view source, std::size_t at, std::size_t end) {
    const std::size_t begin = at;
    while (at < end && markup::is_blank(source[at])) ++at;
    if (at == begin || at >= end) return {};
    const char quote = source[at], close = quote == '(' ? ')' : quote;
    if (quote != '"' && quote != '\'' && quote != '(') return {};
    std::size_t last = at + 1;
    while (last < end && source[last] != close) last += source[last] == '\\' ? 2 : 1;
    if (last >= end) return {};
    for (std::size_t rest = last + 1; rest < end; ++rest)
        if (!markup::is_blank(source[rest])) return {};
    return aside(source, {at + 1, last}, "\n\r", quote);
}

}  // namespace

std::size_t link_end(std::string_view source, std::size_t at) {
    if (at >= source.size() || source[at] != ']') return at;
    const char opening = at + 1 < source.size() ? source[at + 1] : ' ';
    if (opening == '[') return std::min(source.find(']', at + 2), source.size() - 1) + 1;
    if (opening != '(') return at + 1;
    std::size_t depth = 0;
    char quote = 0;
    for (std::size_t i = at + 1; i < source.size(); ++i) {
        const char c = source[i];
        if (c == '\\') ++i;
        else if (quote) quote = c == quote ? 0 : quote;
        else if (c == '<') quote = '>';
        else if ((c == '"' || c == '\'') && (source[i - 1] == ' ' || source[i - 1] == '\n')) quote = c;
        else if (c == '(') ++depth;
        else if (c == ')' && --depth == 0) return i + 1;
    }
    return at + 1;
}

std::string own_label(std::string_view source, Range opening, Range closing) {
    const std::string_view mark = text::part(source, closing);
    if (mark != "]" && mark != "][]") return "";
    std::string label;
    bool line = false;  // its beginning, with the marks of quotations
    for (const char c : text::part(source, {opening.end, closing.begin})) {
        line = c == '\n' || c == '\r' || (line && (c == ' ' || c == '>'));
        if (!line) label += c;
        else if (!label.ends_with(' ')) label += ' ';
    }
    return label;
}

MarkdownAside picture_text(std::string_view source, Range opening, Range closing) {
    MarkdownAside found = aside(source, {opening.end, closing.begin}, kAsideMarks);
    found.label = own_label(source, opening, closing);
    if (text::part(source, closing) == "][]") found.bytes.end = closing.end - 1;  // becomes "text][label]"
    return found;
}

MarkdownAside link_title(std::string_view source, Range closing) {
    if (!text::part(source, closing).starts_with("](") || source[closing.end - 1] != ')') return {};
    std::size_t at = closing.begin + 2;
    const std::size_t end = closing.end - 1;
    while (at < end && markup::is_blank(source[at])) ++at;
    return title_behind(source, address_end(source, at, end), end);
}

MarkdownAside inline_note(std::string_view source, Range note) {
    const bool whole = text::part(source, note).starts_with("^[") && source[note.end - 1] == ']';
    return whole ? aside(source, {note.begin + 2, note.end - 1}, kAsideMarks) : MarkdownAside{};
}

MarkdownAside definition_title(std::string_view source, Range line) {
    std::size_t at = line.begin;
    if (at >= line.end || source[at] != '[') return {};
    for (++at; at < line.end && source[at] != ']'; ++at)
        if (source[at] == '\\') ++at;
    if (!source.substr(std::min(at, line.end), 2).starts_with("]:") || at + 2 >= line.end) return {};
    at += 2;
    while (at < line.end && markup::is_blank(source[at])) ++at;
    const std::size_t behind = address_end(source, at, line.end);
    return behind > at ? title_behind(source, behind, line.end) : MarkdownAside{};
}

}  // namespace dragoman::documents
