// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace serve::api {

// DeepL's rules for tags of XML.
struct DeeplTagRules {
    bool outline = true;  // elements next to text are in a line, others end a sentence; false: all are in a line
    bool lines = true;    // a line break in a text ends a sentence, and stays
    std::vector<std::string> ignored;    // elements that are not translated
    std::vector<std::string> splitting;  // elements that end a sentence
    std::vector<std::string> joining;    // elements that never do
};

// XML as HTML of few elements, which say of each element what the rules say of it, and back.
class DeeplTags {
public:
    // Throws Problem for what is not well-formed, naming `field`.
    DeeplTags(std::string_view xml, const DeeplTagRules& rules, std::string_view field);
    const std::string& html() const { return html_; }
    // The XML of a translation of html(). Throws Problem where the translation has lost or doubled a tag.
    std::string restored(std::string_view translated) const;

private:
    friend class DeeplTagWriter;
    struct Piece {
        std::string begin, end;  // bytes of the XML; `end` is empty where no text stands between
    };
    std::string html_;
    std::vector<Piece> pieces_;  // by the number that stands in html_
};

}  // namespace serve::api
