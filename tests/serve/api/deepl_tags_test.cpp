// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "serve/api/deepl/tags.h"
#include "serve/problem.h"

namespace deepl_tags_test {
using namespace serve;
using serve::api::DeeplTagRules;
using serve::api::DeeplTags;

std::string html(const std::string& xml, const DeeplTagRules& rules = {}) {
    return DeeplTags(xml, rules, "text").html();
}

std::string refusal(const std::string& xml) {
    try {
        return html(xml);
    } catch (const Problem& problem) {
        return problem.what();
    }
}

TEST_CASE("Elements next to text are in a line, others are blocks") {
    CHECK(html("<d><t>One</t><p>Two <b>three</b></p></d>") ==
          "<div id=0><div id=1>One</div><div id=2>Two <span id=3>three</span></div></div>");
    CHECK(html("One <b>two</b>") == "One <span id=0>two</span>");
    DeeplTagRules rules;
    rules.outline = false;
    rules.splitting = {"cut"};
    CHECK(html("<d><t>One</t><cut>Two</cut></d>", rules) ==
          "<span id=0><span id=1>One</span><div id=2>Two</div></span>");
    rules = {};
    rules.joining = {"par"};
    CHECK(html("<par>One</par><par> two</par>", rules) == "<span id=0>One</span><span id=1> two</span>");
}

TEST_CASE("Ignored elements are words where a word can stand") {
    DeeplTagRules rules;
    rules.ignored = {"x"};
    CHECK(html("Open <x id=\"1\"/> now", rules) == "Open <code id=0>@0</code> now");
    CHECK(html("Open <x>The <b>file</b></x>, now", rules) == "Open <code id=0>@0</code>, now");
    CHECK(html("Open <x>This one. That one.</x> now", rules) == "Open <img id=0> now");
    CHECK(html("Open <x>" + std::string(65, 'a') + "</x> now", rules) == "Open <img id=0> now");
    CHECK(html("Op<x/>en", rules) == "Op<img id=0>en");
    CHECK(html("<d><x>One</x></d>", rules) == "<div id=0><hr id=1></div>");
}

TEST_CASE("What is no element of text comes back as it was") {
    const std::string xml =
        "<?xml version='1.0'?>\n<!DOCTYPE d [<!ENTITY a '>'>]>\n<d k=\">\" l='&lt;'>\n"
        "  <p>A &a; &amp; <!-- <b> --> b<br/>c\n  d</p><e></e>\n</d>";
    const DeeplTags tags(xml, {}, "text");
    CHECK(tags.restored(tags.html()) == xml);
    CHECK(html("A &a; b &#65; c &nbsp; d") == "A <code id=0>@0</code> b &#65; c &nbsp; d");
    CHECK(html("R & D") == "R &amp; D");
    CHECK(html("<![CDATA[a < b]]>") == "a &lt; b");
}

TEST_CASE("Line breaks in a text are places of their own where they end sentences") {
    CHECK(html("One\n  two") == "One<br id=0>two");
    CHECK(html("<d>\n<p>One</p>\n</d>") == "<div id=0>\n<div id=1>One</div>\n</div>");
    DeeplTagRules rules;
    rules.lines = false;
    CHECK(html("One\ntwo", rules) == "One\ntwo");
}

TEST_CASE("A translation that moves tags is put back, one that loses them is refused") {
    DeeplTagRules rules;
    rules.ignored = {"x"};
    const DeeplTags tags("<b>One</b> <i k='1'>two</i> <x>3</x>", rules, "text");
    CHECK(tags.restored("<code id=2>@2</code> <span id=1>zwei <span id=0>eins</span></span> &lt;") ==
          "<x>3</x> <i k='1'>zwei <b>eins</b></i> &lt;");
    const auto lost = [&](const char* translated) {
        try {
            return tags.restored(translated);
        } catch (const Problem& problem) {
            return std::string(problem.what());
        }
    };
    CHECK(lost("<span id=1>zwei <span id=0>eins</span></span>").find("<x>3</x> is there 0 times") != std::string::npos);
    CHECK(lost("<span id=1>zwei").find("not closed") != std::string::npos);
    CHECK(lost("zwei</span>").find("was not open") != std::string::npos);
    CHECK(lost("<span id=9>zwei").find("not known") != std::string::npos);
    CHECK(lost("<b").find("not known") != std::string::npos);
}

TEST_CASE("XML that is not well-formed is refused with its byte") {
    CHECK(refusal("ab</p>") == "text: XML at byte 2: </p> closes nothing");
    CHECK(refusal("<p><b></p></b>") == "text: XML at byte 6: </p> closes <b>");
    CHECK(refusal("a<p>") == "text: XML at byte 1: <p> is never closed");
    CHECK(refusal("1 < 2") == "text: XML at byte 2: '<' begins no tag; as a character it is &lt;");
    CHECK(refusal("<p k='") == "text: XML at byte 0: the tag of p never ends");
    CHECK(refusal("<!-- ") == "text: XML at byte 4: the comment never ends");
    CHECK(refusal("<!DOCTYPE") == "text: XML at byte 0: the declaration never ends");
    std::string deep;
    for (int i = 0; i < 600; ++i) deep += "<p>";
    CHECK(refusal(deep).find("more than 500 elements") != std::string::npos);
}

}  // namespace deepl_tags_test
