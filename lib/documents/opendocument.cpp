// SPDX-License-Identifier: Apache-2.0
// OpenDocument: what is written in content.xml and in the objects inside, headers and footers in styles.xml.
#include <algorithm>
#include <array>

#include "documents/xml_units.h"

namespace dragoman::documents {
namespace {

constexpr std::array<std::string_view, 6> kInLine{"text:span",      "text:a",    "text:ruby",
                                                  "text:ruby-base", "text:meta", "text:meta-field"};
constexpr std::array<std::string_view, 6> kIslands{"text:note",  "office:annotation",
                                                   "draw:frame", "draw:custom-shape",
                                                   "draw:g",     "draw:a"};
// Elements outside paragraphs whose text is for programs.
constexpr std::array<std::string_view, 3> kKept{"text:tracked-changes", "table:tracked-changes", "office:scripts"};

template <std::size_t Size>
bool is_one(const std::array<std::string_view, Size>& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

Role opendocument_role(const markup::Token& tag, std::string_view, bool in_paragraph) {
    const std::string_view name = tag.name;
    if (!in_paragraph) {
        if (name == "text:p" || name == "text:h") return Role::paragraph;
        return is_one(kKept, name) ? Role::point : Role::outside;
    }
    if (is_one(kInLine, name)) return Role::in_line;
    if (name == "text:s" || name == "text:tab" || name == "text:line-break") return Role::gap;
    return is_one(kIslands, name) ? Role::island : Role::point;
}

}  // namespace

void read_opendocument(const Package& package, const AddPart& add) {
    for (const std::string& name : package.names()) {
        const bool object = name.ends_with("/content.xml");  // an embedded object, such as a chart
        if (!object && name != "content.xml" && name != "styles.xml") continue;
        PartPtr part = read_xml_units(package.read(name), name, true, opendocument_role);
        if (!part->units().units.empty()) add(name, std::move(part));
    }
}

}  // namespace dragoman::documents
