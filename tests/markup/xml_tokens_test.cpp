// SPDX-License-Identifier: Apache-2.0
#include "markup/xml_tokens.h"

#include <doctest/doctest.h>

#include "base/error.h"

namespace xml_tokens_test {

using namespace dragoman;
using namespace dragoman::markup;

namespace {

// The tokens with "|" between them; they must follow each other without a gap.
std::string tokens(std::string_view source) {
    std::string result;
    std::size_t end = 0;
    xml_tokens(source, [&](const Token& token) {
        CHECK(token.bytes.begin == end);
        end = token.bytes.end;
        constexpr const char* kNames[] = {"t:", "s:", "e:", "r:", "o:"};
        result += (result.empty() ? "" : "|") + std::string(kNames[int(token.kind)]);
        if (token.kind == Token::Kind::text) result += text::part(source, token.content);
        else if (token.name.empty()) result += text::part(source, token.bytes);
        else result += token.name;
        for (const Attribute& attribute : token.attributes)
            result += " " + attribute.name + "=" + std::string(text::part(source, attribute.value));
    });
    CHECK(end == source.size());
    return result;
}

}  // namespace

TEST_CASE("tokens of XML") {
    CHECK(tokens("<a/>") == "s:a|e:a");
    CHECK(tokens("<?xml version='1.0'?>\n<a b='c' d = \"e>\">x &amp;\n y</a>\n") ==
          "o:<?xml version='1.0'?>|o:\n|s:a b=c d=e>|t:x &amp;\n y|e:a|o:\n");
    CHECK(tokens("<a>x<!-- c --><?p i?>y</a>") == "s:a|t:x|o:<!-- c -->|o:<?p i?>|t:y|e:a");
    CHECK(tokens("<a>x<![CDATA[<b>&amp;\n]]>y<![CDATA[]]></a>") == "s:a|t:x|t:<b>&amp;\n|t:y|t:|e:a");
    CHECK(tokens("<x:a xmlns:x='u'><x:b/></x:a>") == "s:x:a xmlns:x=u|s:x:b|e:x:b|e:x:a");
    CHECK(tokens("<ä>ö&#x20ac;</ä>") == "s:ä|t:ö&#x20ac;|e:ä");
}

TEST_CASE("entities that a document declares are not read") {
    const std::string bomb =
        "<!DOCTYPE a [<!ENTITY b 'bbbb'><!ENTITY c '&b;&b;&b;'>"
        "<!ENTITY f SYSTEM 'file:///etc/passwd'>]>";
    const std::string found = tokens(bomb + "<a>x &c; y &f;</a>");
    CHECK(found.substr(found.find("|s:a")) == "|s:a|t:x |r:&c;|t: y |r:&f;|e:a");
}

TEST_CASE("XML that is not well-formed names the byte") {
    CHECK_THROWS_WITH_AS(tokens("<a><b></a>"), "XML: mismatched tag at byte 8", Error);
    CHECK_THROWS_WITH_AS(tokens("<a>&x;</a>"), "XML: undefined entity at byte 3", Error);
    CHECK_THROWS_WITH_AS(tokens("<a>"), doctest::Contains("at byte 3"), Error);
    CHECK_THROWS_WITH_AS(tokens(""), "XML: no element found at byte 0", Error);
    CHECK_THROWS_WITH_AS(tokens("<a>\x01</a>"), doctest::Contains("not well-formed (invalid token) at byte 3"), Error);
    CHECK_THROWS_WITH_AS(tokens("<a b='1' b='2'/>"), doctest::Contains("duplicate attribute at byte 9"), Error);
}

TEST_CASE("XML of 100,000 levels") {
    std::string deep;
    for (int i = 0; i < 100'000; ++i) deep += "<a>";
    deep += "x";
    for (int i = 0; i < 100'000; ++i) deep += "</a>";
    std::size_t count = 0;
    xml_tokens(deep, [&](const Token&) { ++count; });
    CHECK(count == 200'001);
}

}  // namespace xml_tokens_test
