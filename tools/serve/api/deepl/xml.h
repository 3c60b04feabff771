// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace serve::api {

// A piece of XML; all of them one after the other are the text.
struct DeeplXmlToken {
    enum class Kind { text, cdata, start, end, empty, other /* comment, instruction, declaration */ };
    Kind kind = Kind::text;
    std::size_t begin = 0, bytes = 0;  // of the text
    std::string_view name;             // of a tag
    std::size_t element = 0;           // that it belongs to: of a tag its own, otherwise the one around it
};

struct DeeplXmlElement {
    std::string_view name;
    std::size_t parent = 0;
    std::size_t first = 0, last = 0;  // its tags' tokens; equal for an empty tag
    bool has_text = false;            // directly in it, not only white space
};

// A document or a piece of one: element 0 stands for what is around all of it.
struct DeeplXml {
    std::string_view text;
    std::vector<DeeplXmlToken> tokens;
    std::vector<DeeplXmlElement> elements;

    std::string_view of(const DeeplXmlToken& token) const { return text.substr(token.begin, token.bytes); }
};

// `text` must outlive what it gives. Throws Problem where tags do not match, naming `field` and the byte.
DeeplXml deepl_read_xml(std::string_view text, std::string_view field);

bool deepl_is_blank(std::string_view text);

}  // namespace serve::api
