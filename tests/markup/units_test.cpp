// SPDX-License-Identifier: Apache-2.0
#include "markup/units.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "markup/check_units.h"

namespace units_test {

using namespace dragoman;
using namespace dragoman::markup;

namespace {

std::string shown(std::string_view source, const Units& units) {
    std::string result;
    for (const Unit& unit : units.units) {
        if (!result.empty()) result += "|";
        if (unit.attribute) result += "@";
        result += edit(unit, "", std::vector<Range>(unit.marks.size())).pieces.empty() && unit.marks.empty()
                      ? std::string(text::part(units.text, unit.plain))
                      : splice(text::part(source, unit.bytes), {});
        if (unit.in_order) result += "!";
    }
    return result;
}

// The texts of the units with "|" between them; "@": an attribute, "!": tags that do not nest. Units with marks show
// the bytes that they replace.
std::string html(std::string_view source, std::string_view language = "en") {
    return shown(source, html_units(source, language));
}
std::string xml(std::string_view source) { return shown(source, xml_units(source, "en")); }

std::string plain(std::string_view source) {
    const Units units = html_units(source, "en");
    REQUIRE(units.units.size() == 1);
    return std::string(text::part(units.text, units.units.front().plain));
}

}  // namespace

TEST_CASE("blocks end sentences, elements in a line do not") {
    CHECK(html("<p>One.</p><p>Two <b>three</b> four.</p>") == "One.|Two <b>three</b> four.");
    CHECK(html("<p> \n One  two\nthree </p>") == "One two three");
    CHECK(html("<ul><li>a one<li>b <i>two</i> c</ul>rest") == "a one|b <i>two</i> c|rest");
    CHECK(plain("<p>Name:<input name=n>Age:<input name=a></p>") == "Name: Age:");
    CHECK(plain("<p>a<img src=x>b</p>") == "ab");
    CHECK(html("a<br>b<hr>c") == "a|b|c");
    CHECK(html("<table><tr><td>a<td>b<tr><th>c</table>") == "a|b|c");
    CHECK(html("<p>a<div>b</div>c</p>") == "a|b|c");
    CHECK(html("<x-y>a</x-y> b") == "a|b");
    CHECK(html("a <img src=x> b <wbr>c<!-- d -->e") == "a <img src=x> b <wbr>c<!-- d -->e");
}

TEST_CASE("what stands at the edge of a unit is no part of it") {
    CHECK(html("<p><b>All bold.</b></p>") == "All bold.");
    CHECK(html("<p><b><!-- x -->All</b> bold <i>it </i></p>") == "<b><!-- x -->All</b> bold <i>it </i>");
    CHECK(html("<p><i><b>Bold</b> rest</i></p>") == "<b>Bold</b> rest");
    CHECK(html("<p><i>Some <b>bold</b></i></p>") == "Some <b>bold</b>");
    CHECK(html("<p><b></b>Text<br></p>") == "Text");
    CHECK(html("<a><div>one</div><div>two</div></a>") == "one|two");
    CHECK(html("<a href=x><img></a> <p><img></p>") == "");
    CHECK(html("<p>1 &mdash; 2</p>") == "");
}

TEST_CASE("numbers are a unit where languages write them differently") {
    CHECK(html("<td>1,000.50</td><td>$<b>2.75</b><td>1,5<td>99.5 %<td>1.234<td>-1,000<td>0.75") ==
          "1,000.50|2.75|1,5|99.5 %|1.234|-1,000|0.75");
    CHECK(plain("<td>1,234.500<sup>1</sup></td>") == "1,234.500");
    for (const Literals literals : {Literals::in_text, Literals::named, Literals::as_points})
        for (const char* split : {"<td>$19<sup>.99</sup>", "<td>1,234<b>.50</b>"})
            CHECK_MESSAGE(html_units(split, "en", literals).units.empty(), split);
    CHECK(html("<td>1000<td>2.1<td>1.0<td>1.2.3<td>31.12.2025<td>12/31/2025<td>10:30<td>10.0.0.1<td>555.123.4567") ==
          "");
}

TEST_CASE("marks that say nothing stay outside, if they stand at the edge") {
    CHECK(html("<li>&raquo; <a href=x>next</a> |</li>") == "next");
    CHECK(html("<h1>A title<a title='Link'>\u00b6</a></h1>") == "@Link|A title");
    CHECK(html("<p>| <b>a</b> b | <i>|</i>") == "<b>a</b> b |");
    CHECK(html("<p>a <b>b <i>|</i></b>") == "a <b>b <i>|</i></b>");
    CHECK(html("<p>a <b>b</b>.") == "a <b>b</b>.");
    CHECK(html("<p>(<b>a</b>)") == "(<b>a</b>)");
    CHECK(html("<p>- <b>a</b>: b") == "<b>a</b>: b");
    CHECK(plain("<p>| <b>a</b> b | <i>|</i>") == "a b |");
}

TEST_CASE("short code is text of its sentence") {
    CHECK(plain("<p>Press <kbd>Ctrl</kbd>+<kbd>C</kbd> or <samp>a &lt; b</samp>.") == "Press Ctrl+C or a < b.");
    CHECK(plain("Use <code>ls  \n -l</code> in <span class=notranslate>Debian</span>") == "Use ls -l in Debian");
    CHECK(plain("<p>a <i lang=la>ad hoc</i> b") == "a ad hoc b");
    CHECK(plain("<kbd><kbd>Ctrl</kbd>-<kbd>C</kbd></kbd> ends it") == "Ctrl-C ends it");
    CHECK(html("<p><code>x</code> <kbd>y</kbd>") == "");
    for (const std::string_view kept :
         {"<code>a. B</code>", "<code>Stop!</code>", "<code>a|b</code>", "<code> a</code>", "<code></code>",
          "<code>a<br>b</code>", "<textarea>a</textarea>", "<script translate=no>a</script>",
          "<code><svg><text>a</text></svg></code>"})
        CHECK_MESSAGE(plain("a " + std::string(kept) + " c") == "a c", kept);
    CHECK(plain("a <code>" + std::string(64, 'x') + "</code> b").size() == 68);
    CHECK(plain("a <code>" + std::string(65, 'x') + "</code> b") == "a b");
    const Units points = html_units("a <code>x</code> b", "en", Literals::as_points);
    CHECK(points.text == "a b\n\n");
}

TEST_CASE("references are read, white space is one blank") {
    CHECK(plain("<p>a &amp;&lt;b&gt; &eacute;&#233; &copy 2&nbsp;c") == "a &<b> éé © 2\u00a0c");
    CHECK(plain("a<b>b</b>c") == "abc");
    CHECK(plain("a <b> b </b> c") == "a b c");
    CHECK(plain("<a>Home</a><a>About</a> <a>us</a>") == "Home About us");
    CHECK(plain("<b>H</b><sub>2</sub>O") == "H2O");
    CHECK(plain(std::string_view("a\0b", 3)) == "ab");
    CHECK(plain("a & b < c &x") == "a & b < c &x");
}

TEST_CASE("an element of no-break spaces alone is a blank that keeps what it has") {
    CHECK(plain("<p>Name:<tt>&nbsp;</tt>Peter</p>") == "Name: Peter");
    CHECK(plain("a<i>&nbsp; \u00a0</i>b<b> </b>c") == "a b c");
    const std::string source = "<p>Name:<tt>&nbsp;</tt>Peter</p>";
    const Units units = html_units(source, "en");
    REQUIRE(units.units.size() == 1);
    REQUIRE(units.units.front().marks.size() == 1);
    CHECK(units.units.front().marks.front().kind == Mark::Kind::point);
    CHECK(text::part(source, units.units.front().marks.front().open) == "<tt>&nbsp;</tt>");
    CHECK(plain("<p>a <b>b&nbsp;</b>c</p>") == "a b\u00a0c");
}

TEST_CASE("kept elements") {
    CHECK(html("<p>Use <code>a <b>c</b></code> here</p>") == "Use <code>a <b>c</b></code> here");
    CHECK(plain("<p>Use <code>a <b>c</b></code> here</p>") == "Use a c here");
    CHECK(plain("<p>Use <code>a <img>c</code> here</p>") == "Use here");
    CHECK(html("<pre>a <b>c</b></pre><p>d<script>e</script>") == "d");
    CHECK(html("a <span translate=no>b</span> c") == "a <span translate=no>b</span> c");
    CHECK(html("<div class='x notranslate y'>a<p>b</p></div>c") == "c");
    CHECK(html("<div class='notranslate2'>a</div>") == "a");
    CHECK(html("<p translate=NO>a<p>b") == "b");
    CHECK(html("<p>a <code>b<p>c") == "a <code>b|c");
    CHECK(html("<p>a <code>b</p><p>c</code> d</p>") == "a <code>b|c</code> d!");
    CHECK(html("<code>a <b>c</code> d</b> e") == "<code>a <b>c</code> d</b> e!");
    CHECK(html("<style>a</style><textarea placeholder='p'>b</textarea><noscript>c</noscript>d") == "@p|d");
}

TEST_CASE("other languages") {
    CHECK(html("<html lang=en><p lang=fr>a<p lang=en-US>b") == "b");
    CHECK(html("<html lang=en><p lang=fr>a<p lang=en-US>b", "") == "b");
    CHECK(html("<p lang=fr>a<p lang=en>b", "") == "a|b");
    CHECK(html("<html lang=de><p lang=de>a", "en") == "a");
    CHECK(html("a <i lang=la>et cetera</i> b") == "a <i lang=la>et cetera</i> b");
    CHECK(plain("a <i lang=la>et cetera</i> b") == "a et cetera b");
    CHECK(html("<p xml:lang=fr>a</p>b") == "b");
}

TEST_CASE("attributes") {
    CHECK(html("<img alt='a &amp; b' title=\"c\" src=d>") == "@a & b|@c");
    CHECK(html("<p title=x>y <a title='z &quot;'>v</a> w") == "@x|@z \"|y <a title='z &quot;'>v</a> w");
    CHECK(html("<input type=SUBMIT value=Go><input value=No><input type=text placeholder='here' aria-label=l>") ==
          "@Go|@here|@l");
    CHECK(html("<meta name=description content='d'><meta name=viewport content='v'>"
               "<meta property=og:title content=o>") == "@d|@o");
    CHECK(html("<th abbr=a>b<option label=c>d<p alt=e placeholder=f>") == "@a|b|@c|d");
    CHECK(html("<img alt='  a  '><img alt='42'><img alt><img alt=a alt=b>") == "@a|@a");
    CHECK(html("<p translate=no title=a><img alt=b></p>") == "");
    CHECK(html("<link title=a>") == "");
}

TEST_CASE("tags that do not nest") {
    CHECK(html("<p>1 a <b>b <i>c</b> d</i> e") == "1 a <b>b <i>c</b> d</i> e!");
    CHECK(html("<p>a <b>b</p><p>c</b> d</p>") == "a <b>b|c</b> d");
    CHECK(html("a </b> c") == "a </b> c!");
    CHECK(html("a </div> c") == "a|c");
    CHECK(html("<p>a <i>b <span>c</i> d</span> e") == "a <i>b <span>c</i> d</span> e!");
    CHECK(html("x <a>b <a>c</a> d") == "x <a>b <a>c</a> d!");
    CHECK(html("<b>a<br>b</b> c") == "a|b</b> c");
    CHECK(html("<a>b <a>c</a> d") == "b <a>c</a> d");
    CHECK(html("x <button>a<b>c</button>d</b> e") == "x <button>a<b>c</button>d</b> e!");
    CHECK(html("<table><tr><td><b>a</table>b") == "a|b");
    CHECK(html("</p>a</br>b") == "a|b");
}

TEST_CASE("islands hold sentences of their own") {
    CHECK(html("<p>Take <select><option>one<option>two</select> now</p>") ==
          "one|two|Take <select><option>one<option>two</select> now");
    CHECK(html("a <svg><title>b <g>x</title><text>c <tspan>d</tspan></text></svg> e") ==
          "b|x|c <tspan>d</tspan>|a <svg><title>b <g>x</title><text>c <tspan>d</tspan></text></svg> e");
    CHECK(html("<svg><text><![CDATA[a<b>]]></text></svg>") == "a<b>");
    CHECK(html("<svg><text>a<p>b") == "a|b");
    CHECK(html("a <svg/> b") == "a <svg/> b");
    CHECK(html("<p>a <svg><g> b") == "b|a");
}

TEST_CASE("XML: what stands beside text is part of a line") {
    CHECK(xml("<d><t>One</t><p>Two <e>three</e> four</p><l><i>a</i><i>b</i></l></d>") ==
          "One|Two <e>three</e> four|a|b");
    CHECK(xml("<p>a &amp; <![CDATA[b<c]]> d</p>") == "a & b<c d");
    CHECK(xml("<p>a <code>b</code> <x/> c<fn><p>d</p></fn> e</p>") == "d|a <code>b</code> <x/> c<fn><p>d</p></fn> e");
    CHECK(xml("<d><p xml:lang='fr'>a</p><p its:translate='no'>b</p><p title='x'>c</p></d>") == "c");
    CHECK(xml("<d><programlisting>a</programlisting><p>b</p></d>") == "b");
    CHECK(xml("<?xml version='1.0'?><html xmlns='x'><p title='t'>a <b>b</b> c</p><br/><pre>d</pre></html>") ==
          "@t|a <b>b</b> c");
    CHECK(xml("<!DOCTYPE p [<!ENTITY x 'y'>]><p>a &x; b</p>") == "a &x; b");
    CHECK_THROWS_WITH_AS(xml("<p>a</q>"), "XML: mismatched tag at byte 6", Error);
}

}  // namespace units_test
