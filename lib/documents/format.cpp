// SPDX-License-Identifier: Apache-2.0
#include "documents/format.h"

#include <algorithm>
#include <string>

#include "documents/format_table.h"
#include "documents/package.h"
#include "markup/ascii.h"

namespace dragoman::documents {
namespace {

// Whether a list of words, separated by blanks, has this one.
bool lists(std::string_view words, std::string_view word) {
    while (!words.empty()) {
        const std::size_t blank = std::min(words.find(' '), words.size());
        if (words.substr(0, blank) == word) return true;
        words.remove_prefix(std::min(blank + 1, words.size()));
    }
    return false;
}

Format by_extension(std::string_view file_name) {
    const std::string name = markup::lower(file_name.substr(file_name.find_last_of("/\\") + 1));
    if (name == "strings.xml") return Format::android;
    const std::size_t point = name.rfind('.');
    if (point == std::string::npos) return Format::unknown;
    for (const FormatRow& row : format_table())
        if (lists(row.extensions, std::string_view(name).substr(point + 1))) return row.format;
    return Format::unknown;
}

bool has(std::string_view text, std::string_view what) { return text.find(what) != std::string_view::npos; }

// The format that the root of an XML document names.
Format by_root(std::string_view head) {
    std::size_t at = 0;
    while ((at = head.find('<', at)) < head.size() && (at + 1 == head.size() || !markup::is_letter(head[at + 1]))) ++at;
    if (at >= head.size()) return Format::unknown;
    const std::size_t end = std::min(head.find_first_of(" \t\r\n/>", at), head.size());
    std::string_view root = head.substr(at + 1, end - at - 1);
    root = root.substr(root.find(':') + 1);
    for (const FormatRow& row : format_table())
        if (!row.root.empty() && row.root == root) return row.format;
    return Format::unknown;
}

Format by_bytes(std::string_view bytes) {
    if (bytes.starts_with("PK\3\4")) return package_format(bytes);
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
    const std::string_view head = bytes.substr(0, 4096);
    if (head.starts_with("WEBVTT")) return Format::vtt;
    if (markup::lower(head.substr(0, 13)) == "[script info]") return Format::ass;
    if (head.starts_with("<?xml")) return by_root(head);
    const std::string begin = markup::lower(head.substr(0, std::min<std::size_t>(head.size(), 256)));
    const std::size_t tag = begin.find_first_not_of(" \t\r\n");
    const std::string_view first = std::string_view(begin).substr(std::min(tag, begin.size()));
    if (first.starts_with("<!doctype html") || first.starts_with("<html")) return Format::html;
    if (has(head, "<xliff")) return Format::xliff;
    if (has(head, "<tmx")) return Format::tmx;
    return Format::unknown;
}

}  // namespace

std::string_view name_of(Format format) {
    const FormatRow* row = row_of(format);
    return row ? row->name : "unknown";
}

Format format_named(std::string_view name) {
    for (const FormatRow& row : format_table())
        if (row.name == name) return row.format;
    return Format::unknown;
}

// A page that is XHTML by its root is read as that, even if it is called .html.
Format find_format(std::string_view file_name, std::string_view bytes) {
    const Format named = by_extension(file_name);
    const Format found = by_bytes(bytes);
    if (named == Format::html && found == Format::xhtml) return named;
    if (is_package(found) || found == Format::vtt || found == Format::xliff || found == Format::tmx) return found;
    return named != Format::unknown && !(is_package(named) && !bytes.empty()) ? named : found;
}

bool is_package(Format format) {
    const FormatRow* row = row_of(format);
    return row && row->read_package;
}

}  // namespace dragoman::documents
