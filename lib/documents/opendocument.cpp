// SPDX-License-Identifier: Apache-2.0
// OpenDocument: what is written in content.xml and in the objects inside, headers and footers in styles.xml.
#include <array>
#include <map>

#include "documents/is_one.h"
#include "documents/xml_units.h"

namespace dragoman::documents {
namespace {

constexpr std::array<std::string_view, 6> kInLine{"text:span",      "text:a",    "text:ruby",
                                                  "text:ruby-base", "text:meta", "text:meta-field"};
constexpr std::array<std::string_view, 6> kIslands{"text:note",  "office:annotation",
                                                   "draw:frame", "draw:custom-shape",
                                                   "draw:g",     "draw:a"};
// Fields whose text is a word of its sentence.
constexpr std::array<std::string_view, 17> kFields{
    "text:sequence",     "text:page-number",     "text:page-count",     "text:bookmark-ref", "text:reference-ref",
    "text:sequence-ref", "text:note-ref",        "text:date",           "text:time",         "text:chapter",
    "text:title",        "text:variable-get",    "text:user-field-get", "text:expression",   "text:placeholder",
    "text:author-name",  "text:database-display"};
// Elements outside paragraphs whose text is for programs.
constexpr std::array<std::string_view, 3> kKept{"text:tracked-changes", "table:tracked-changes", "office:scripts"};

// Elements outside paragraphs with a text: what a picture or a table shows, too.
constexpr std::array<std::string_view, 6> kParagraphs{"text:p",   "text:h",      "svg:title",
                                                      "svg:desc", "table:title", "table:desc"};

// Whether a frame is a formula in a line.
bool is_formula(const markup::Token& tag, std::string_view source) {
    return tag.name == "draw:frame" && attribute_of(source, tag, "text:anchor-type") == "as-char" &&
           source.substr(tag.bytes.end).starts_with("<draw:object ");
}

Role opendocument_role(const markup::Token& tag, bool in_paragraph, std::string_view source) {
    const std::string_view name = tag.name;
    if (!in_paragraph) {
        if (is_one(kParagraphs, name)) return Role::paragraph;
        return is_one(kKept, name) ? Role::point : Role::outside;
    }
    if (is_one(kInLine, name)) return Role::in_line;
    if (name == "text:tab") return Role::divider;
    if (name == "text:s" || name == "text:line-break") return Role::gap;
    if (is_one(kFields, name) || is_formula(tag, source)) return Role::word;
    return is_one(kIslands, name) ? Role::island : Role::point;
}

// The styles that raise or lower text.
void add_scripts(std::string_view source, std::string_view name, std::map<std::string, markup::Script>& scripts) {
    std::string style;
    read_xml(source, name, true, [&](const markup::Token& token) {
        if (token.kind != markup::Token::Kind::start) return;
        if (token.name == "style:style") style = attribute_of(source, token, "style:name");
        if (token.name != "style:text-properties") return;
        const std::string position = attribute_of(source, token, "style:text-position");
        if (position.empty() || position.starts_with("0")) return;
        const bool lowered = position.starts_with("sub") || position.starts_with("-");
        scripts[style] = lowered ? markup::Script::lowered : markup::Script::raised;
    });
}

}  // namespace

void read_opendocument(const Package& package, const AddPart& add) {
    std::map<std::string, markup::Script> scripts;
    for (const std::string_view name : {"styles.xml", "content.xml"})
        if (package.has(name)) add_scripts(package.read(name), name, scripts);
    for (const std::string& name : package.names()) {
        const bool object = name.ends_with("/content.xml");  // an embedded object, such as a chart
        if (!object && name != "content.xml" && name != "styles.xml") continue;
        const std::string source = package.read(name);
        PartPtr part = read_xml_units(
            source, name, true,
            [&](const markup::Token& tag, std::string_view, bool in_paragraph) {
                return opendocument_role(tag, in_paragraph, source);
            },
            nullptr,
            [&](const markup::Token& tag) {
                const auto script = scripts.find(attribute_of(source, tag, "text:style-name"));
                if (script != scripts.end()) return script->second;
                return tag.name == "text:a" ? markup::Script::link : markup::Script::none;
            });
        if (!part->units().units.empty()) add(name, std::move(part));
    }
}

}  // namespace dragoman::documents
