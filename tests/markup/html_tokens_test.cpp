// SPDX-License-Identifier: Apache-2.0
// WHATWG's states, one after the other.
#include "markup/html_tokens.h"

#include <doctest/doctest.h>

namespace html_tokens_test {

using namespace dragoman::markup;

namespace {

std::string shown(std::string_view source, const Token& token) {
    const std::string bytes(dragoman::text::part(source, token.bytes));
    switch (token.kind) {
        case Token::Kind::text: return (token.references ? "t:" : "raw:") + bytes;
        case Token::Kind::other: return "o:" + bytes;
        default: break;
    }
    std::string result = (token.kind == Token::Kind::start ? "s:" : "e:") + token.name;
    for (const Attribute& attribute : token.attributes) {
        result += " " + attribute.name + "=";
        if (attribute.quote) result += attribute.quote;
        result += dragoman::text::part(source, attribute.value);
    }
    return result + (token.self_closing ? "/" : "");
}

// The tokens with "\1" between them; they must follow each other without a gap.
std::string tokens(std::string_view source, bool foreign = false) {
    HtmlTokenizer tokenizer(source);
    tokenizer.set_foreign(foreign);
    std::string result;
    std::size_t end = 0;
    for (Token token; tokenizer.next(token);) {
        CHECK(token.bytes.begin == end);
        CHECK(token.bytes.end > end);
        end = token.bytes.end;
        result += (result.empty() ? "" : "\1") + shown(source, token);
    }
    CHECK(end == source.size());
    return result;
}

}  // namespace

TEST_CASE("data and tags") {
    CHECK(tokens("") == "");
    CHECK(tokens("a &amp; b") == "t:a &amp; b");
    CHECK(tokens("a<b>c</B >d") == "t:a\1s:b\1t:c\1e:b\1t:d");
    CHECK(tokens("<BR><br/><a/b>") == "s:br\1s:br/\1s:a b=");
    CHECK(tokens("1 < 2 <3 <<b>") == "t:1 < 2 <3 <\1s:b");
    CHECK(tokens("a<") == "t:a<");
    CHECK(tokens("a</") == "t:a</");
    CHECK(tokens("a</>b") == "t:a\1o:</>\1t:b");
    CHECK(tokens("a</3>b") == "t:a\1o:</3>\1t:b");
    CHECK(tokens("a<?php b ?>c") == "t:a\1o:<?php b ?>\1t:c");
    CHECK(tokens("<a-b:c>") == "s:a-b:c");
    CHECK(tokens("a<b") == "t:a\1o:<b");
    CHECK(tokens("a<b c='") == "t:a\1o:<b c='");
    CHECK(tokens("a</b c") == "t:a\1o:</b c");
    CHECK(tokens(std::string_view("a\0<b>", 5)) == std::string("t:a\0\1s:b", 8));
}

TEST_CASE("attributes") {
    CHECK(tokens("<a b c=d E='f g' h=\"i>j\" k = l>") == "s:a b= c=d e='f g h=\"i>j k=l");
    CHECK(tokens("<a b=\"c\"d='e'f>") == "s:a b=\"c d='e f=");
    CHECK(tokens("<a b=c/>") == "s:a b=c/");
    CHECK(tokens("<a b=c />") == "s:a b=c/");
    CHECK(tokens("<a b='c'/>") == "s:a b='c/");
    CHECK(tokens("<a b= >x") == "s:a b=\1t:x");
    CHECK(tokens("<a =b=c>") == "s:a =b=c");
    CHECK(tokens("<a / b / >") == "s:a b=");
    CHECK(tokens("<a b='x\ny'>") == "s:a b='x\ny");
    CHECK(tokens("<a b=\"&amp;\">") == "s:a b=\"&amp;");
    CHECK(tokens("<a b=1 b=2>") == "s:a b=1 b=2");
    CHECK(tokens("<a b=c<d>e") == "s:a b=c<d\1t:e");
    CHECK(tokens("</a b=c>") == "e:a b=c");
}

TEST_CASE("comments and doctypes") {
    CHECK(tokens("<!DOCTYPE html>x") == "o:<!DOCTYPE html>\1t:x");
    CHECK(tokens("<!doctype html \"a>b\">x") == "o:<!doctype html \"a>\1t:b\">x");
    CHECK(tokens("<!-- a <b> -- c -->d") == "o:<!-- a <b> -- c -->\1t:d");
    CHECK(tokens("<!---->a") == "o:<!---->\1t:a");
    CHECK(tokens("<!-->a") == "o:<!-->\1t:a");
    CHECK(tokens("<!--->a") == "o:<!--->\1t:a");
    CHECK(tokens("<!--a--!>b") == "o:<!--a--!>\1t:b");
    CHECK(tokens("<!---!>b-->c") == "o:<!---!>b-->\1t:c");
    CHECK(tokens("<!--a--->b") == "o:<!--a--->\1t:b");
    CHECK(tokens("<!--a-- >b") == "o:<!--a-- >b");
    CHECK(tokens("<!--a<!--b-->c") == "o:<!--a<!--b-->\1t:c");
    CHECK(tokens("<!-a->b") == "o:<!-a->\1t:b");
    CHECK(tokens("<!a") == "o:<!a");
    CHECK(tokens("<!") == "o:<!");
    CHECK(tokens("<!--") == "o:<!--");
    CHECK(tokens("<!--a-") == "o:<!--a-");
}

TEST_CASE("texts that end with their element only") {
    CHECK(tokens("<title>a<b>&amp;</b></title>c") == "s:title\1t:a<b>&amp;</b>\1e:title\1t:c");
    CHECK(tokens("<textarea></textarea>c") == "s:textarea\1e:textarea\1t:c");
    CHECK(tokens("<style>a<b>&amp;</style x>c") == "s:style\1raw:a<b>&amp;\1e:style x=\1t:c");
    CHECK(tokens("<STYLE>a</Style>c") == "s:style\1raw:a\1e:style\1t:c");
    CHECK(tokens("<style>a</styles></ style></style") == "s:style\1raw:a</styles></ style></style");
    CHECK(tokens("<xmp>a<b></xmp>") == "s:xmp\1raw:a<b>\1e:xmp");
    CHECK(tokens("<noscript><p></noscript>") == "s:noscript\1raw:<p>\1e:noscript");
    CHECK(tokens("<iframe><p></iframe>") == "s:iframe\1raw:<p>\1e:iframe");
    CHECK(tokens("<plaintext>a</plaintext>") == "s:plaintext\1raw:a</plaintext>");
    CHECK(tokens("<title>a") == "s:title\1t:a");
    CHECK(tokens("<title/>a</title>") == "s:title/\1t:a\1e:title");
}

TEST_CASE("script") {
    CHECK(tokens("<script>if (a<b) '</b>'</script>c") == "s:script\1raw:if (a<b) '</b>'\1e:script\1t:c");
    CHECK(tokens("<script><!--a</script>b-->") == "s:script\1raw:<!--a\1e:script\1t:b-->");
    CHECK(tokens("<script><!--<script></script>a</script>b") == "s:script\1raw:<!--<script></script>a\1e:script\1t:b");
    CHECK(tokens("<script><!--<script>--></script>b") == "s:script\1raw:<!--<script>-->\1e:script\1t:b");
    CHECK(tokens("<script><!--<scripty></script>b") == "s:script\1raw:<!--<scripty>\1e:script\1t:b");
    CHECK(tokens("<script><!--><script></script>b") == "s:script\1raw:<!--><script>\1e:script\1t:b");
    CHECK(tokens("<script><script></script>b") == "s:script\1raw:<script>\1e:script\1t:b");
    CHECK(tokens("<script>a</script") == "s:script\1raw:a</script");
    CHECK(tokens("<script>") == "s:script");
}

TEST_CASE("SVG and MathML") {
    CHECK(tokens("<![CDATA[a<b]]>c") == "o:<![CDATA[a<b]]>\1t:c");
    CHECK(tokens("<![CDATA[a<b>]]>c", true) == "raw:<![CDATA[a<b>]]>\1t:c");
    CHECK(tokens("<![CDATA[a", true) == "raw:<![CDATA[a");
    CHECK(tokens("<style>a<b></style>", true) == "s:style\1t:a\1s:b\1e:style");
}

}  // namespace html_tokens_test
