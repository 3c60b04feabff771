// SPDX-License-Identifier: Apache-2.0
#include "documents/format.h"

#include <algorithm>
#include <array>
#include <string>

#include "documents/package.h"
#include "markup/ascii.h"

namespace dragoman::documents {
namespace {

struct Name {
    std::string_view name;  // of a format, or the end of a file's name
    Format format;
};

constexpr std::array<Name, 20> kNames{{
    {"text", Format::text}, {"html", Format::html}, {"xhtml", Format::xhtml}, {"srt", Format::srt},
    {"vtt", Format::vtt}, {"markdown", Format::markdown}, {"docx", Format::docx}, {"pptx", Format::pptx},
    {"xlsx", Format::xlsx}, {"odt", Format::odt}, {"ods", Format::ods}, {"odp", Format::odp},
    {"epub", Format::epub}, {"po", Format::po}, {"xliff", Format::xliff}, {"tmx", Format::tmx},
    {"json", Format::json}, {"arb", Format::arb}, {"android", Format::android}, {"strings", Format::strings},
}};

constexpr std::array<Name, 14> kOtherEnds{{
    {"txt", Format::text}, {"htm", Format::html}, {"xht", Format::xhtml}, {"md", Format::markdown},
    {"docm", Format::docx}, {"dotx", Format::docx}, {"pptm", Format::pptx}, {"ppsx", Format::pptx},
    {"xlsm", Format::xlsx}, {"ott", Format::odt}, {"pot", Format::po}, {"xlf", Format::xliff},
    {"mdown", Format::markdown}, {"potx", Format::pptx},
}};

std::string lower(std::string_view text) {
    std::string result;
    for (const char c : text) result += markup::lower(c);
    return result;
}

Format by_end(std::string_view file_name) {
    const std::string name = lower(file_name.substr(file_name.find_last_of("/\\") + 1));
    if (name == "strings.xml") return Format::android;
    const std::size_t point = name.rfind('.');
    if (point == std::string::npos) return Format::unknown;
    const std::string end = name.substr(point + 1);
    if (end == "text" || end == "android") return Format::unknown;  // names of formats, not of files
    for (const Name& one : kOtherEnds)
        if (one.name == end) return one.format;
    return format_named(end);
}

bool has(std::string_view text, std::string_view what) { return text.find(what) != std::string_view::npos; }

// What the root of an XML document says.
Format by_root(std::string_view head) {
    std::size_t at = 0;
    while ((at = head.find('<', at)) < head.size() && (at + 1 == head.size() || !markup::is_letter(head[at + 1]))) ++at;
    if (at >= head.size()) return Format::unknown;
    const std::size_t end = std::min(head.find_first_of(" \t\r\n/>", at), head.size());
    std::string_view root = head.substr(at + 1, end - at - 1);
    root = root.substr(root.find(':') + 1);
    if (root == "xliff") return Format::xliff;
    if (root == "tmx") return Format::tmx;
    if (root == "resources") return Format::android;
    if (root == "html") return Format::xhtml;
    return Format::unknown;
}

Format by_bytes(std::string_view bytes) {
    if (bytes.starts_with("PK\3\4")) return package_format(bytes);
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
    const std::string_view head = bytes.substr(0, 4096);
    if (head.starts_with("WEBVTT")) return Format::vtt;
    if (head.starts_with("<?xml")) return by_root(head);
    const std::string begin = lower(head.substr(0, std::min<std::size_t>(head.size(), 256)));
    const std::size_t tag = begin.find_first_not_of(" \t\r\n");
    const std::string_view first = std::string_view(begin).substr(std::min(tag, begin.size()));
    if (first.starts_with("<!doctype html") || first.starts_with("<html")) return Format::html;
    if (has(head, "<xliff")) return Format::xliff;
    if (has(head, "<tmx")) return Format::tmx;
    return Format::unknown;
}

}  // namespace

std::string_view name_of(Format format) {
    for (const Name& one : kNames)
        if (one.format == format) return one.name;
    return "unknown";
}

Format format_named(std::string_view name) {
    for (const Name& one : kNames)
        if (one.name == name) return one.format;
    return Format::unknown;
}

// A page that is XHTML by its root may be called .html, and is read as that then.
Format find_format(std::string_view file_name, std::string_view bytes) {
    const Format named = by_end(file_name);
    const Format found = by_bytes(bytes);
    if (named == Format::html && found == Format::xhtml) return named;
    if (is_package(found) || found == Format::vtt || found == Format::xliff || found == Format::tmx) return found;
    return named != Format::unknown && !(is_package(named) && !bytes.empty()) ? named : found;
}

bool is_package(Format format) { return format >= Format::docx && format <= Format::epub; }

}  // namespace dragoman::documents
