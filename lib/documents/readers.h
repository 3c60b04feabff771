// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "documents/document.h"
#include "documents/part.h"
#include "markup/token.h"

// A reader for each format. `name` is for messages.
namespace dragoman::documents {

using PartPtr = std::unique_ptr<Part>;

PartPtr read_text(std::string source);
PartPtr read_html(std::string source, const Languages& languages);
PartPtr read_xhtml(std::string source, const Languages& languages, std::string_view name);
PartPtr read_subtitles(std::string source);
PartPtr read_substation(std::string source);
PartPtr read_markdown(std::string source, const Languages& languages);
PartPtr read_po(std::string source, const Languages& languages);
PartPtr read_xliff(std::string source, const Languages& languages);
PartPtr read_tmx(std::string source, const Languages& languages);
PartPtr read_json(std::string source, bool arb, const Languages& languages);
PartPtr read_android(std::string source);
PartPtr read_strings(std::string source);

// Adds a part of a package.
using AddPart = std::function<void(std::string name, PartPtr part)>;
void read_office(const Package& package, Format format, const AddPart& add);
void read_opendocument(const Package& package, const AddPart& add);
void read_epub(const Package& package, const Languages& languages, const AddPart& add);

// Gives the tokens of an XML document; throws for one with elements deeper than kMaxDepth and, where `plain`, with a
// document type, which packages' parts must not have.
void read_xml(std::string_view source, std::string_view name, bool plain,
              const std::function<void(const markup::Token&)>& take);

// Whether a reference to an entity stands for a blank, whatever the document's own declarations say.
inline bool is_blank_reference(std::string_view reference) {
    for (const std::string_view name : {"&nbsp;", "&ensp;", "&emsp;", "&thinsp;", "&hairsp;", "&numsp;"})
        if (reference == name) return true;
    return false;
}

// The value of an attribute as it is written; empty where the tag has none of that name.
inline std::string attribute_of(std::string_view source, const markup::Token& token, std::string_view name) {
    const markup::Attribute* found = token.attribute(name);
    return found ? std::string(text::part(source, found->value)) : "";
}

inline std::string_view local_name(std::string_view name) { return name.substr(name.find(':') + 1); }

}  // namespace dragoman::documents
