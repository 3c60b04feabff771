// SPDX-License-Identifier: Apache-2.0
#include "markup/entities.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace entities_test {

using namespace dragoman::markup;

namespace {

// "text" with what follows it, or "-" where there is no reference.
std::string read(std::string_view text, bool in_attribute = false) {
    const Reference found = html_reference(text, in_attribute);
    if (found.bytes == 0) return "-";
    return found.text + "|" + std::string(text.substr(found.bytes));
}

}  // namespace

TEST_CASE("every name of HTML, with what follows") {
    const auto all = entities();
    REQUIRE(all.size() == 2231);
    CHECK(std::ranges::is_sorted(all, {}, &Entity::name));
    std::size_t open = 0;
    for (const Entity& entity : all) {
        open += entity.name.back() != ';';
        CHECK(read("&" + std::string(entity.name) + " x") == std::string(entity.text) + "| x");
    }
    CHECK(open == 106);
}

TEST_CASE("names: the longest one, and those without an end") {
    CHECK(read("&amp;lt;") == "&|lt;");
    CHECK(read("&ampx") == "&|x");
    CHECK(read("&notit;") == "¬|it;");
    CHECK(read("&notin;") == "∉|");
    CHECK(read("&NotEqualTilde;") == "≂̸|");
    CHECK(read("&Auml") == "Ä|");
    CHECK(read("&mdash x") == "-");
    CHECK(read("&nothing;") == "¬|hing;");
    CHECK(read("&xyz;") == "-");
    CHECK(read("&") == "-");
    CHECK(read("& x") == "-");
    CHECK(read("&;") == "-");
    CHECK(read("&copy=1", true) == "-");
    CHECK(read("&copyx", true) == "-");
    CHECK(read("&copy;=1", true) == "©|=1");
    CHECK(read("&copy 1", true) == "©| 1");
}

TEST_CASE("numbers") {
    CHECK(read("&#65;b") == "A|b");
    CHECK(read("&#65b") == "A|b");
    CHECK(read("&#x41;") == "A|");
    CHECK(read("&#X2014;") == "—|");
    CHECK(read("&#128;") == "€|");
    CHECK(read("&#x9f;") == "Ÿ|");
    CHECK(read("&#x81;") == "\xc2\x81|");
    CHECK(read("&#0;") == "\xef\xbf\xbd|");
    CHECK(read("&#xd800;") == "\xef\xbf\xbd|");
    CHECK(read("&#x110000;") == "\xef\xbf\xbd|");
    CHECK(read("&#99999999999999999999;") == "\xef\xbf\xbd|");
    CHECK(read("&#x1F600;") == "😀|");
    CHECK(read("&#;") == "-");
    CHECK(read("&#x;") == "-");
    CHECK(read("&#xg;") == "-");
}

TEST_CASE("XML's references") {
    CHECK(xml_reference("&lt;b").text == "<");
    CHECK(xml_reference("&quot;").text == "\"");
    CHECK(xml_reference("&apos;").text == "'");
    CHECK(xml_reference("&#x20ac;").text == "€");
    CHECK(xml_reference("&#128;").text == "\xc2\x80");
    CHECK(xml_reference("&nbsp;").bytes == 0);
    CHECK(xml_reference("&#65").bytes == 0);
}

TEST_CASE("escaping") {
    std::string text;
    append_escaped(text, "a<b> & \"c\" 'd'");
    CHECK(text == "a&lt;b&gt; &amp; \"c\" 'd'");
    text.clear();
    append_escaped(text, "\"'", '"');
    append_escaped(text, "\"'", '\'');
    CHECK(text == "&quot;'\"&#39;");
}

}  // namespace entities_test
