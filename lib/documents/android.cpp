// SPDX-License-Identifier: Apache-2.0
// Android's strings.xml: <string>, and the items of <plurals> and <string-array>.
#include <algorithm>

#include "documents/xml_units.h"
#include "markup/entities.h"

namespace dragoman::documents {
namespace {

Role role_of(const markup::Token& tag, std::string_view name, bool in_paragraph, std::string_view source) {
    const markup::Attribute* translatable = tag.attribute("translatable");
    if (translatable && text::part(source, translatable->value) == "false") return Role::point;
    if (in_paragraph) return tag.name == "xliff:g" ? Role::point : Role::in_line;
    return name == "string" || name == "item" ? Role::paragraph : Role::outside;
}

// Escapes quotation marks as in "\'"; the text is XML already.
std::string escaped(std::string_view written) {
    std::string result;
    for (std::size_t at = 0; at < written.size(); ++at) {
        const bool first = at == 0 && (written[at] == '@' || written[at] == '?');
        if (first || written[at] == '\'' || written[at] == '"' || written[at] == '\\') result += '\\';
        result += written[at];
    }
    return result;
}

}  // namespace

PartPtr read_android(std::string source) {
    const std::string copy = source;
    return read_xml_units(
        std::move(source), "document", false,
        [&](const markup::Token& tag, std::string_view name, bool in_paragraph) {
            return role_of(tag, name, in_paragraph, copy);
        },
        escaped);
}

}  // namespace dragoman::documents
