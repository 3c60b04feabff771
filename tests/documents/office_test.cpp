// SPDX-License-Identifier: Apache-2.0
#include "fixture.h"

namespace office_test {

using namespace dragoman::documents;
using namespace dragoman::documents::test;

namespace {

const std::string kType = "application/vnd.openxmlformats-officedocument.";

std::string types(const Members& parts) {
    std::string xml = "<?xml version=\"1.0\"?><Types><Default Extension=\"png\" ContentType=\"image/png\"/>";
    for (const auto& [name, type] : parts)
        xml += "<Override PartName=\"/" + name + "\" ContentType=\"" + kType + type + "+xml\"/>";
    return xml + "</Types>";
}

std::string word(const std::string& body) {
    return packed({{"[Content_Types].xml", types({{"word/document.xml", "wordprocessingml.document.main"}})},
                   {"word/document.xml", "<w:document><w:body>" + body + "</w:body></w:document>"},
                   {"word/media/image1.png", std::string(2000, 'x')}});
}

std::string body(const std::string& bytes) {
    const std::string xml = members(bytes)[1].second;
    const std::size_t begin = xml.find("<w:body>") + 8;
    return xml.substr(begin, xml.find("</w:body>") - begin);
}

std::string backwards(const std::string& given) { return body(translated(word(given), Format::docx, How::backwards)); }

const std::string kText = "<w:t xml:space=\"preserve\">";

std::string run(const std::string& text, const std::string& properties = "") {
    const std::string inside = properties.empty() ? "" : "<w:rPr>" + properties + "</w:rPr>";
    return "<w:r>" + inside + kText + text + "</w:t></w:r>";
}

}  // namespace

TEST_CASE("a Word file that is not translated is the same, a translated one keeps its other members as packed") {
    const std::string file = word("<w:p>" + run("one") + "</w:p>");
    CHECK(translated(file, Format::docx, How::same) == file);
    const std::string other = translated(file, Format::docx, How::capitals);
    CHECK(members(other)[0] == members(file)[0]);
    CHECK(members(other)[2] == members(file)[2]);
    CHECK(body(other) == "<w:p>" + run("ONE") + "</w:p>");
    CHECK(find_format("x.bin", file) == Format::docx);
}

TEST_CASE("runs with the same meaning are one, other formatting follows its words") {
    const std::string lang = "<w:lang w:val=\"en-US\"/>";
    CHECK(texts(word("<w:p><w:pPr><w:b/></w:pPr>" + run("The qu", lang) + "<w:proofErr/>" + run("ick fox") + "</w:p>"),
                Format::docx) == std::vector<std::string>{"The quick fox"});
    CHECK(backwards("<w:p>" + run("one ") + run("two", "<w:b/>") + run(" three four.") + "</w:p>") ==
          "<w:p>" + run("FOUR THREE ") + run("TWO", "<w:b/>") + run(" ONE.") + "</w:p>");
    CHECK(backwards("<w:p><w:hyperlink r:id=\"a\">" + run("one", "<w:u/>") + "</w:hyperlink>" +
                    run(" two three &amp; four") + "</w:p>") == "<w:p>" + run("FOUR &amp; THREE TWO ") +
                                                                    "<w:hyperlink r:id=\"a\">" + run("ONE", "<w:u/>") +
                                                                    "</w:hyperlink></w:p>");
}

TEST_CASE("notes, drawings, tabs and fields stay, text boxes are translated") {
    const std::string note = "<w:r><w:rPr><w:v/></w:rPr><w:footnoteReference w:id=\"2\"/></w:r>";
    CHECK(backwards("<w:p>" + run("one two") + note + run(" three.") + "</w:p>").find(note) != std::string::npos);
    const std::string tab = "<w:r><w:tab/></w:r>";
    CHECK(body(translated(word("<w:p>" + run("one") + tab + run("two") + "</w:p>"), Format::docx, How::capitals)) ==
          "<w:p>" + run("ONE") + tab + run("TWO") + "</w:p>");
    CHECK(texts(word("<w:p><w:r><w:t>a name</w:t><w:tab/><w:t>12</w:t><w:tab/><w:t>an age </w:t></w:r></w:p>"),
                Format::docx) == std::vector<std::string>{"a name", "an age"});
    CHECK(body(translated(word("<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b &amp; c </w:t></w:r></w:p>"), Format::docx,
                          How::capitals)) == "<w:p><w:r><w:t>A</w:t><w:tab/><w:t>B &amp; C </w:t></w:r></w:p>");
    const std::string field =
        "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r>"
        "<w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>" +
        run("seven") + "<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>";
    const std::string paged = "<w:p>" + run("page ") + field + run(" of two") + "</w:p>";
    CHECK(texts(word(paged), Format::docx) == std::vector<std::string>{"page {_1} of two"});
    CHECK(body(translated(word(paged), Format::docx, How::capitals)).find(field) != std::string::npos);
    const std::string box = "<w:p>" + run("outer") + "<w:r><w:drawing><wps:txbx><w:txbxContent><w:p>" + run("inner") +
                            "</w:p></w:txbxContent></wps:txbx></w:drawing></w:r>" + run(" text") + "</w:p>";
    const std::string boxed = body(translated(word(box), Format::docx, How::capitals));
    CHECK(boxed.find(kText + "INNER</w:t>") != std::string::npos);
    CHECK(boxed.find("OUTER") != std::string::npos);
    CHECK(boxed.find("inner") == std::string::npos);
}

TEST_CASE("alternative texts of pictures, drawings and tables are translated, names are not") {
    const auto picture = [](const std::string& title, const std::string& text) {
        return "<w:drawing><wp:docPr id=\"1\" name=\"Picture 1\" title=\"" + title + "\" descr='" + text +
               "'/><a:graphic><pic:cNvPr id=\"0\" name=\"a.png\" descr=\"" + title + "\"/></a:graphic></w:drawing>";
    };
    const auto paragraph = [&](const std::string& said, const std::string& title, const std::string& text) {
        return "<w:p>" + run(said) + "<w:r>" + picture(title, text) +
               "</w:r></w:p><w:tbl><w:tblPr><w:tblCaption w:val=\"" + title +
               "\"/></w:tblPr></w:tbl><w:p><w:r><w:pict><v:shape id=\"s\" alt=\"" + title + "\"/></w:pict></w:r></w:p>";
    };
    const std::string given = paragraph("one two", "a &amp; b", "it&apos;s a dog&#xA;&#xA;and a cat");
    CHECK(translated(word(given), Format::docx, How::same) == word(given));
    CHECK(body(translated(word(given), Format::docx, How::capitals)) ==
          paragraph("ONE TWO", "A &amp; B", "IT&#39;S A DOG&#xA;&#xA;AND A CAT"));
    const std::string shape = "<p:sld><p:cNvPr id=\"2\" name=\"Picture 2\" descr=\"a dog\"/></p:sld>";
    const std::string show =
        packed({{"[Content_Types].xml", types({{"s.xml", "presentationml.slide"}})}, {"s.xml", shape}});
    CHECK(texts(show, Format::pptx) == std::vector<std::string>{"a dog"});
}

TEST_CASE("a link that is a field keeps its text translatable") {
    const std::string begin =
        "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>HYPERLINK \"x\"</w:instrText>"
        "</w:r><w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>";
    const std::string end = "<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>";
    CHECK(body(translated(word("<w:p>" + run("see ") + begin + run("here", "<w:u/>") + end + run(" now and then") +
                               "</w:p>"),
                          Format::docx, How::capitals)) ==
          "<w:p>" + run("SEE ") + begin + run("HERE", "<w:u/>") + end + run(" NOW AND THEN") + "</w:p>");
}

TEST_CASE("slides and sheets") {
    const std::string slide =
        "<p:sld><a:p><a:pPr/><a:r><a:rPr lang=\"en\" b=\"1\"/><a:t>one</a:t></a:r><a:r><a:rPr lang=\"de\" "
        "b=\"1\"/><a:t> two</a:t></a:r><a:endParaRPr/></a:p></p:sld>";
    const std::string show = packed({{"[Content_Types].xml", types({{"p.xml", "presentationml.presentation.main"},
                                                                    {"s.xml", "presentationml.slide"}})},
                                     {"p.xml", "<p/>"},
                                     {"s.xml", slide}});
    CHECK(find_format("", show) == Format::pptx);
    CHECK(members(translated(show, Format::pptx, How::capitals))[2].second ==
          "<p:sld><a:p><a:pPr/><a:r><a:rPr lang=\"en\" b=\"1\"/><a:t>ONE TWO</a:t></a:r><a:endParaRPr/></a:p></p:sld>");
    const std::string strings =
        "<sst><si><t>Name</t></si><si><t>some text</t></si><si><t>12</t></si><si><r><t>a </t></r><r><rPr>"
        "<b/></rPr><t>bold cell</t></r></si></sst>";
    const std::string book = packed({{"[Content_Types].xml", types({{"b.xml", "spreadsheetml.sheet.main"},
                                                                    {"s.xml", "spreadsheetml.sharedStrings"},
                                                                    {"t.xml", "spreadsheetml.table"}})},
                                     {"b.xml", "<b/>"},
                                     {"s.xml", strings},
                                     {"t.xml", "<table><tableColumn name=\"Name\"/></table>"}});
    CHECK(find_format("", book) == Format::xlsx);
    CHECK(texts(book, Format::xlsx) == std::vector<std::string>{"some text", "a bold cell"});
    CHECK(members(translated(book, Format::xlsx, How::capitals))[2].second.find(
              "<si><t>Name</t></si><si><t xml:space=\"preserve\">SOME TEXT</t></si><si><t>12</t></si>") !=
          std::string::npos);
}

TEST_CASE("blanks around a text are as many as they were") {
    const auto book = [](const std::string& text) {
        return packed({{"[Content_Types].xml", types({{"s.xml", "spreadsheetml.sharedStrings"}})},
                       {"s.xml", "<sst><si><t xml:space=\"preserve\">" + text + "</t></si></sst>"}});
    };
    CHECK(members(translated(book("    one two   "), Format::xlsx, How::capitals))[1].second ==
          "<sst><si><t xml:space=\"preserve\">    ONE TWO   </t></si></sst>");
    CHECK(backwards("<w:p>" + run("   one ") + run("two  ", "<w:b/>") + "</w:p>").find(">   ") != std::string::npos);
}

TEST_CASE("tabs of slides are characters, and part fields") {
    const auto show = [](const std::string& paragraph) {
        return packed({{"[Content_Types].xml", types({{"s.xml", "presentationml.slide"}})},
                       {"s.xml", "<p:sld><a:p>" + paragraph + "</a:p></p:sld>"}});
    };
    const std::string fields = "<a:r><a:rPr/><a:t>name\tthe age\t12</a:t></a:r>";
    CHECK(texts(show(fields), Format::pptx) == std::vector<std::string>{"name", "the age"});
    CHECK(members(translated(show(fields), Format::pptx, How::capitals))[1].second ==
          "<p:sld><a:p><a:r><a:rPr/><a:t>NAME\tTHE AGE\t12</a:t></a:r></a:p></p:sld>");
    const std::string mixed = "<a:r><a:t>one </a:t></a:r><a:r><a:rPr b=\"1\"/><a:t>two\tthree &amp; four</a:t></a:r>";
    CHECK(texts(show(mixed), Format::pptx) == std::vector<std::string>{"one two\tthree & four"});
    const std::string written = members(translated(show(mixed), Format::pptx, How::capitals))[1].second;
    CHECK(written.find("TWO</a:t></a:r>") != written.npos);
    CHECK(written.find("<a:r><a:rPr b=\"1\"/><a:t>\t</a:t></a:r>") != written.npos);
    CHECK(written.find("THREE &amp; FOUR") != written.npos);
}

TEST_CASE("marks of notes, units, fields, formulas and hyphens in runs") {
    const std::string raised = "<w:vertAlign w:val=\"superscript\"/>";
    const std::string noted = "<w:p>" + run("old house") + run("1", raised) + run(" is red.") + "</w:p>";
    CHECK(texts(word(noted), Format::docx) == std::vector<std::string>{"old house is red."});
    CHECK(body(translated(word(noted), Format::docx, How::capitals)) ==
          "<w:p>" + run("OLD HOUSE") + run("1", raised) + run(" IS RED.") + "</w:p>");
    const std::string area = "<w:p>" + run("is 20 m") + run("2", raised) + run(" large") + "</w:p>";
    CHECK(texts(word(area), Format::docx) == std::vector<std::string>{"is 20 {_1} large"});
    CHECK(body(translated(word(area), Format::docx, How::capitals)) ==
          "<w:p>" + run("IS 20 ") + run("m") + run("2", raised) + run(" LARGE") + "</w:p>");
    const std::string formula = "<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>";
    const std::string with_formula = "<w:p>" + run("number ") + formula + run(" is small") + "</w:p>";
    CHECK(texts(word(with_formula), Format::docx) == std::vector<std::string>{"number {_1} is small"});
    CHECK(body(translated(word(with_formula), Format::docx, How::backwards)).find(formula) != std::string::npos);
    CHECK(texts(word("<w:p><w:r><w:t>well</w:t><w:noBreakHyphen/><w:t>known</w:t></w:r></w:p>"), Format::docx) ==
          std::vector<std::string>{"well\u2011known"});
    const std::string bullet = "<w:p><w:r><w:tab/><w:t>*</w:t><w:tab/><w:t>one</w:t></w:r></w:p>";
    const std::string written = body(translated(word(bullet), Format::docx, How::capitals));
    CHECK(texts(word(bullet), Format::docx) == std::vector<std::string>{"one"});
    CHECK(written.find("<w:tab/><w:t>*</w:t><w:tab/><w:t>ONE</w:t>") != std::string::npos);
}

TEST_CASE("lines of a cell are texts of their own") {
    const auto book = [](const std::string& strings) {
        return packed({{"[Content_Types].xml",
                        types({{"b.xml", "spreadsheetml.sheet.main"}, {"s.xml", "spreadsheetml.sharedStrings"}})},
                       {"b.xml", "<b/>"},
                       {"s.xml", "<sst>" + strings + "</sst>"}});
    };
    const std::string lines = "<si><t>one two\n- three &amp; four&#10;\tfive</t></si>";
    CHECK(texts(book(lines), Format::xlsx) == std::vector<std::string>{"one two", "three & four", "five"});
    CHECK(members(translated(book(lines), Format::xlsx, How::capitals))[2].second ==
          "<sst><si><t>ONE TWO\n- THREE &amp; FOUR&#10;\tFIVE</t></si></sst>");
    const std::string rich = "<si><r><t>one\ntwo </t></r><r><rPr><b/></rPr><t>three</t></r></si>";
    CHECK(members(translated(book(rich), Format::xlsx, How::capitals))[2].second ==
          "<sst><si><r><t xml:space=\"preserve\">ONE</t></r><r><t xml:space=\"preserve\">\n</t></r><r><t "
          "xml:space=\"preserve\">TWO </t></r><r><rPr><b/></rPr><t xml:space=\"preserve\">THREE</t></r></si></sst>");
}

TEST_CASE("figures alone are texts where languages write them differently; numbers of sections stay") {
    CHECK(texts(word("<w:p>" + run("$2,000.75") + "</w:p><w:p>" + run("2.1") + "<w:r><w:tab/></w:r>" + run("One") +
                     "</w:p><w:p>" + run("1.2.3") + "</w:p>"),
                Format::docx) == std::vector<std::string>{"$2,000.75", "One"});
    CHECK(texts(word("<w:p>" + run("1,000.50", "<w:b/>") + run(" ") + run("2,000.50") + "</w:p>"), Format::docx) ==
          std::vector<std::string>{"1,000.50 2,000.50"});
    CHECK(texts(word("<w:p>" + run("$19") + run(".99", "<w:b/>") + "</w:p>"), Format::docx).empty());
}

TEST_CASE("line breaks and tabs among runs divide a paragraph where no sentence goes on") {
    const std::string line = "<w:r><w:br/></w:r>", tab = "<w:r><w:tab/></w:r>";
    const auto of = [](const std::string& inside) { return word("<w:p>" + inside + "</w:p>"); };
    CHECK(texts(of(run("Line one") + line + run("Line two")), Format::docx) ==
          std::vector<std::string>{"Line one\nLine two"});
    CHECK(texts(of(run("the old") + line + run("house")), Format::docx) == std::vector<std::string>{"the old house"});
    CHECK(texts(of(run("One ") + run("two", "<w:b/>") + tab + run("\u00c4rger")), Format::docx) ==
          std::vector<std::string>{"One two\t\u00c4rger"});
    CHECK(backwards("<w:p>" + run("Line one") + line + run("Two") + "</w:p>") ==
          "<w:p>" + run("TWO ONE") + line + run("LINE") + "</w:p>");
}

TEST_CASE("blanks between words are not underlined, nor are they links") {
    const std::string underlined = "<w:u w:val=\"single\"/>";
    CHECK(backwards("<w:p>" + run("one ") + run("two", "<w:b/>") + "<w:hyperlink r:id=\"a\">" +
                    run(" three four five six", underlined) + "</w:hyperlink></w:p>")
              .find(underlined + "</w:rPr>" + kText + " <") == std::string::npos);
    CHECK(texts(word("<w:p>" + run("all of it", underlined) + run(" ", "<w:b/>") + run("too.", underlined) + "</w:p>"),
                Format::docx) == std::vector<std::string>{"all of it too."});
    CHECK(texts(word("<w:p><w:hyperlink r:id=\"a\" w:tooltip=\"where to\">" + run("one") + "</w:hyperlink></w:p>"),
                Format::docx) == std::vector<std::string>{"where to", "one"});
}

TEST_CASE("diagrams: their data, and the drawing that programs show in its place") {
    const std::string paragraph = "<a:p><a:r><a:t>one</a:t></a:r></a:p>";
    const std::string drawing = "application/vnd.ms-office.drawingml.diagramDrawing+xml";
    for (const Format format : {Format::docx, Format::pptx, Format::xlsx}) {
        const std::string file =
            packed({{"[Content_Types].xml", "<Types><Override PartName=\"/d/data1.xml\" ContentType=\"" + kType +
                                                "drawingml.diagramData+xml\"/><Override PartName=\"/d/drawing1.xml\" "
                                                "ContentType=\"" +
                                                drawing + "\"/></Types>"},
                    {"d/data1.xml", "<dgm:dataModel>" + paragraph + "</dgm:dataModel>"},
                    {"d/drawing1.xml", "<dsp:drawing><dsp:txBody>" + paragraph + "</dsp:txBody></dsp:drawing>"}});
        CHECK(texts(file, format) == std::vector<std::string>{"one", "one"});
    }
}

}  // namespace office_test
