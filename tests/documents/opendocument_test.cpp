// SPDX-License-Identifier: Apache-2.0
#include "fixture.h"

namespace opendocument_test {

using namespace dragoman::documents;
using namespace dragoman::documents::test;

namespace {

const std::string kBegin = "<office:document-content><office:body>", kEnd = "</office:body></office:document-content>";

std::string file(const std::string& kind, const std::string& body) {
    return packed({{"mimetype", "application/vnd.oasis.opendocument." + kind}, {"content.xml", kBegin + body + kEnd}});
}

std::string body(const std::string& bytes) {
    const std::string xml = members(bytes)[1].second;
    return xml.substr(kBegin.size(), xml.size() - kBegin.size() - kEnd.size());
}

}  // namespace

TEST_CASE("a text: spans, tabs, notes") {
    const std::string content =
        "<office:document-content><office:body><text:p>one <text:span text:style-name=\"T1\">two</text:span>"
        "<text:tab/>three<text:note><text:note-citation>1</text:note-citation><text:note-body>"
        "<text:p>note</text:p></text:note-body></text:note></text:p><dc:creator>kept</dc:creator>"
        "</office:body></office:document-content>";
    const std::string file =
        packed({{"mimetype", "application/vnd.oasis.opendocument.text"}, {"content.xml", content}, {"x", "y"}});
    CHECK(find_format("", file) == Format::odt);
    CHECK(translated(file, Format::odt, How::same) == file);
    const std::string other = translated(file, Format::odt, How::capitals);
    const std::string chart =
        "<office:document-content><chart:title><text:p>a title</text:p></chart:title>"
        "</office:document-content>";
    CHECK(texts(packed({{"mimetype", "application/vnd.oasis.opendocument.text"},
                        {"content.xml", content},
                        {"Object 1/content.xml", chart}}),
                Format::odt)
              .back() == "a title");
    CHECK(other.substr(30, 8) == "mimetype");
    CHECK(other.find("application/vnd.oasis.opendocument.text") == 38);
    CHECK(members(other)[1].second ==
          "<office:document-content><office:body><text:p>ONE <text:span text:style-name=\"T1\">TWO</text:span>"
          "<text:tab/>THREE<text:note><text:note-citation>1</text:note-citation><text:note-body>"
          "<text:p>NOTE</text:p></text:note-body></text:note></text:p><dc:creator>kept</dc:creator>"
          "</office:body></office:document-content>");
}

TEST_CASE("a paragraph that is all in spans: the one of most letters is how it looks") {
    const auto backwards = [](const std::string& paragraph) {
        return body(translated(file("text", "<text:p>" + paragraph + "</text:p>"), Format::odt, How::backwards));
    };
    const auto span = [](const std::string& style, const std::string& text) {
        return "<text:span text:style-name=\"" + style + "\">" + text + "</text:span>";
    };
    CHECK(backwards(span("T1", "one two ") + span("T2", "three") + span("T1", " four five.")) ==
          "<text:p>" + span("T1", "FIVE FOUR ") + span("T2", "THREE") + span("T1", " TWO ONE.") + "</text:p>");
    CHECK(backwards(span("T1", "one<text:tab/>two ") + "<text:a href=\"x\">" + span("T1", "three") + "</text:a>") ==
          "<text:p><text:a href=\"x\">" + span("T1", "THREE") + "</text:a>" + span("T1", "<text:tab/>TWO ONE") +
              "</text:p>");
    // Some text is in none: the span is a mark around its words.
    CHECK(backwards("a " + span("T1", "longer text")) == "<text:p>" + span("T1", "TEXT LONGER") + " A</text:p>");
}

TEST_CASE("a spreadsheet: cells, comments; not formulas and values") {
    const std::string sheet =
        "<table:table table:name=\"Prices\"><table:table-row><table:table-cell office:value-type=\"string\">"
        "<office:annotation><dc:creator>Tom</dc:creator><text:p>check it</text:p></office:annotation>"
        "<text:p>one <text:span>two</text:span></text:p></table:table-cell>"
        "<table:table-cell table:formula=\"of:=SUM([.A1:.A2])\" "
        "office:value=\"3\"><text:p>3</text:p></table:table-cell>"
        "<table:covered-table-cell/></table:table-row></table:table>";
    const std::string book = file("spreadsheet", sheet);
    CHECK(find_format("", book) == Format::ods);
    CHECK(texts(book, Format::ods) == std::vector<std::string>{"check it", "one two"});
    CHECK(translated(book, Format::ods, How::same) == book);
    CHECK(body(translated(book, Format::ods, How::backwards)) ==
          "<table:table table:name=\"Prices\"><table:table-row><table:table-cell office:value-type=\"string\">"
          "<office:annotation><dc:creator>Tom</dc:creator><text:p>IT CHECK</text:p></office:annotation>"
          "<text:p><text:span>TWO</text:span> ONE</text:p></table:table-cell>"
          "<table:table-cell table:formula=\"of:=SUM([.A1:.A2])\" "
          "office:value=\"3\"><text:p>3</text:p></table:table-cell>"
          "<table:covered-table-cell/></table:table-row></table:table>");
}

TEST_CASE("a presentation: boxes, notes; not names and pictures") {
    const std::string page =
        "<draw:page draw:name=\"first page\"><draw:frame><draw:text-box><text:list><text:list-item><text:p>an "
        "item</text:p>"
        "</text:list-item></text:list></draw:text-box></draw:frame><draw:frame><draw:image xlink:href=\"a.png\"/>"
        "</draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>say <text:a xlink:href=\"x\">this</text:a>"
        "</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>";
    const std::string show = file("presentation", page);
    CHECK(find_format("", show) == Format::odp);
    CHECK(texts(show, Format::odp) == std::vector<std::string>{"an item", "say this"});
    CHECK(translated(show, Format::odp, How::same) == show);
    CHECK(
        body(translated(show, Format::odp, How::backwards)) ==
        "<draw:page draw:name=\"first page\"><draw:frame><draw:text-box><text:list><text:list-item><text:p>ITEM "
        "AN</text:p>"
        "</text:list-item></text:list></draw:text-box></draw:frame><draw:frame><draw:image xlink:href=\"a.png\"/>"
        "</draw:frame><presentation:notes><draw:frame><draw:text-box><text:p><text:a xlink:href=\"x\">THIS</text:a> SAY"
        "</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>");
}

TEST_CASE("alternative texts of pictures and tables") {
    const auto page = [](const std::string& text, const std::string& shown) {
        return "<text:p>" + text + "<draw:frame draw:name=\"a name\"><draw:image xlink:href=\"a.png\"/><svg:title>" +
               shown + "</svg:title><svg:desc>" + shown +
               "</svg:desc></draw:frame></text:p><table:table><table:title>" + shown + "</table:title></table:table>";
    };
    const std::string formula =
        "<text:p>x<draw:frame text:anchor-type=\"as-char\"><draw:object xlink:href=\"./Object 1\"/>"
        "<svg:desc>formula</svg:desc></draw:frame></text:p>";
    const std::string given = file("text", page("one two", "a dog") + formula);
    CHECK(texts(given, Format::odt) == std::vector<std::string>{"a dog", "a dog", "one two", "a dog", "x{_1}"});
    CHECK(body(translated(given, Format::odt, How::backwards)).starts_with(page("TWO ONE", "DOG A")));
}

TEST_CASE("marks of notes, units, fields and formulas") {
    const std::string content =
        "<office:document-content><office:automatic-styles><style:style style:name=\"T9\"><style:text-properties "
        "style:text-position=\"super 58%\"/></style:style></office:automatic-styles><text:p>the house<text:span "
        "text:style-name=\"T9\">1</text:span> has 20 m<text:span text:style-name=\"T9\">2</text:span>, page "
        "<text:page-number>3</text:page-number> and <draw:frame text:anchor-type=\"as-char\"><draw:object "
        "xlink:href=\"x\"/></draw:frame> now</text:p></office:document-content>";
    const std::string file =
        packed({{"mimetype", "application/vnd.oasis.opendocument.text"}, {"content.xml", content}});
    CAPTURE(texts(file, Format::odt).front());
    CHECK(texts(file, Format::odt) == std::vector<std::string>{"the house has 20 {_3}, page {_1} and {_2} now"});
    const std::string written = members(translated(file, Format::odt, How::capitals))[1].second;
    CHECK(written.find("THE HOUSE<text:span text:style-name=\"T9\">1</text:span> HAS 20 m<text:span "
                       "text:style-name=\"T9\">2</text:span>, PAGE <text:page-number>3</text:page-number> AND <draw") !=
          std::string::npos);
}

}  // namespace opendocument_test
