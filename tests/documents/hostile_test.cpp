// SPDX-License-Identifier: Apache-2.0
// What somebody makes in order to harm: it is refused, with its name and both values.
#include "fixture.h"

namespace hostile_test {

using namespace dragoman::documents;
using namespace dragoman::documents::test;

namespace {

const std::string kTypes =
    "<?xml version=\"1.0\"?><Types><Override PartName=\"/word/document.xml\" ContentType=\"application/vnd."
    "openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>";
const std::string kExternal = "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]>";

std::string with(const std::string& xml) {
    return packed({{"[Content_Types].xml", kTypes}, {"word/document.xml", xml}});
}

// Each entity is ten of the one before: three billion letters in the end.
std::string bomb(const std::string& use) {
    std::string xml = "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY e0 \"lol\">";
    for (int i = 1; i <= 9; ++i) {
        xml += "<!ENTITY e" + std::to_string(i) + " \"";
        for (int j = 0; j < 10; ++j) xml += "&e" + std::to_string(i - 1) + ";";
        xml += "\">";
    }
    return xml + "]>" + use;
}

bool has_password(const std::vector<std::string>& texts) {
    return std::ranges::any_of(texts, [](const std::string& text) { return text.find("root:") != std::string::npos; });
}

}  // namespace

TEST_CASE("hostile packages are refused") {
    CHECK(refusal("no zip", Format::docx).starts_with("document: expected a zip archive"));
    CHECK(refusal(with("<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>"), Format::docx) ==
          "word/document.xml: expected no document type, got <!DOCTYPE");
    CHECK(refusal(with("<a><b></a>"), Format::docx).starts_with("word/document.xml: XML: mismatched tag at byte"));
    std::string deep;
    for (int i = 0; i < 300; ++i) deep += "<a>";
    for (int i = 0; i < 300; ++i) deep += "</a>";
    CHECK(refusal(with(deep), Format::docx) ==
          "word/document.xml: expected at most 256 elements within each other, got 300");
    CHECK(refusal(packed({{"a", ""}, {"bomb", std::string(8 << 20, ' ')}}), Format::docx)
              .find("expected at most 200 times") != std::string::npos);
    Members many;
    for (int i = 0; i < 10001; ++i) many.emplace_back(std::to_string(i), "");
    CHECK(refusal(packed(many), Format::docx) == "document: expected at most 10000 members, the package has 10001");
    CHECK(refusal(packed({{"a", "b"}}), Format::docx).starts_with("[Content_Types].xml: expected in the package"));
    std::string cut = with("<a/>");
    CHECK_FALSE(refusal(cut.substr(0, cut.size() / 2), Format::docx).empty());
}

TEST_CASE("packages that are cut off anywhere, or changed, are refused or read, and never more") {
    const std::string whole = with("<w:document><w:p><w:r><w:t>one two</w:t></w:r></w:p></w:document>");
    for (std::size_t size = 0; size < whole.size(); size += 7)
        CHECK_FALSE(refusal(whole.substr(0, size), Format::docx).empty());
    // The size of a member says one thing in the directory, its bytes another.
    std::string lies = whole;
    const std::size_t directory = lies.rfind("PK\1\2");
    lies[directory + 24] = '\7';
    CHECK_FALSE(refusal(lies, Format::docx).empty());
}

TEST_CASE("names in a package are names, not places") {
    const std::string file =
        packed({{"[Content_Types].xml", kTypes},
                {"word/document.xml", "<w:document><w:p><w:r><w:t>one</w:t></w:r></w:p></w:document>"},
                {"../../../tmp/evil", "x"},
                {"/etc/evil", "x"},
                {"C:\\evil", "x"}});
    const Members other = members(translated(file, Format::docx, How::capitals));
    REQUIRE(other.size() == 5);
    CHECK(other[2] == std::pair<std::string, std::string>{"../../../tmp/evil", "x"});  // carried along, as it is packed
    const std::string book =
        packed({{"mimetype", "application/epub+zip"},
                {"META-INF/container.xml", "<container><rootfile full-path=\"../../etc/passwd\"/></container>"}});
    CHECK(refusal(book, Format::epub) ==
          "META-INF/container.xml: expected a rootfile in the package, got '../../etc/passwd'");
    const std::string twice = packed({{"a", "1"}, {"b", "2"}});
    std::string same = twice;
    for (std::size_t at = 0; (at = same.find('b', at)) != std::string::npos; ++at) same[at] = 'a';
    CHECK(refusal(same, Format::docx).find("twice") != std::string::npos);
}

TEST_CASE("entities: bombs end, files outside are not read") {
    const auto page = [](const std::string& use) { return "<html><body><p>" + use + "</p></body></html>"; };
    const std::string strings = "<resources><string name=\"a\">&e9; text</string></resources>";
    const std::string units =
        "<xliff version=\"1.2\"><file><trans-unit><source>&e9; text</source></trans-unit></file></xliff>";
    for (const auto& [file, format] : {std::pair{bomb(page("&e9; text")), Format::xhtml},
                                       {bomb(strings), Format::android},
                                       {bomb(units), Format::xliff}}) {
        CAPTURE(name_of(format));
        try {  // refused, or the reference stays what it is
            for (const std::string& text : texts(file, format)) CHECK(text.size() < 100'000);
        } catch (const dragoman::Error& error) {
            CHECK(error.status() == dragoman::Status::invalid_argument);
        }
    }
    for (const auto& [file, format] :
         {std::pair{kExternal + page("&b; text"), Format::xhtml},
          {kExternal + "<resources><string name=\"a\">&b; text</string></resources>", Format::android},
          {kExternal + "<tmx><header srclang=\"en\"/><body><tu><tuv xml:lang=\"en\"><seg>&b; "
                       "text</seg></tuv></tu></body></tmx>",
           Format::tmx}}) {
        CAPTURE(name_of(format));
        try {
            CHECK_FALSE(has_password(texts(file, format)));
        } catch (const dragoman::Error& error) {
            CHECK(error.status() == dragoman::Status::invalid_argument);
        }
    }
    const std::string book =
        packed({{"mimetype", "application/epub+zip"},
                {"META-INF/container.xml", "<container><rootfile full-path=\"a.opf\"/></container>"},
                {"a.opf",
                 "<package><manifest><item href=\"b.xhtml\" media-type=\"application/xhtml+xml\"/>"
                 "</manifest></package>"},
                {"b.xhtml", kExternal + page("&b; text")}});
    try {
        CHECK_FALSE(has_password(texts(book, Format::epub)));
    } catch (const dragoman::Error& error) {
        CHECK(error.status() == dragoman::Status::invalid_argument);
    }
}

TEST_CASE("entities of a document's own stay what they are, in units and where they are all of one") {
    const std::string begin = "<!DOCTYPE a [<!ENTITY e \"nice\">]>";
    const auto unit = [](const std::string& text) { return "<trans-unit><source>" + text + "</source></trans-unit>"; };
    const std::string alone = unit("&e;");
    const std::string file = begin + "<xliff version=\"1.2\"><file>" + unit("The &e; house.") + alone +
                             unit("The house.") + "</file></xliff>";
    REQUIRE(texts(file, Format::xliff).size() == 2);
    const std::string written = translated(file, Format::xliff, How::capitals);
    CHECK(written.starts_with(begin));
    CHECK(written.find("<target>THE &e; HOUSE.</target>") != std::string::npos);
    CHECK(written.find("<target>THE HOUSE.</target>") != std::string::npos);
    CHECK(written.find(alone) != std::string::npos);  // nothing in it is text: as it was, and not left out
}

TEST_CASE("a megabyte of marks, placeholders or dashes takes no square time") {
    const auto repeated = [](std::string_view what, std::size_t size) {
        std::string all;
        while (all.size() < size) all += what;
        return all;
    };
    const auto written = [](const std::string& bytes, Format format) {  // anew, since it changes
        const Document document(bytes, format, {"en", "de"});
        std::vector<Translation> translations;
        for (const std::string_view text : document.texts()) translations.push_back({"x " + std::string(text)});
        return document.write(translations);
    };
    constexpr std::size_t kSize = 1u << 20;
    for (const std::string_view what : {"a<sup>1</sup> ", "m<sup>2</sup>", "<b>a</b> ", "<b>", "<sup>"})
        CHECK(translated("<p>" + repeated(what, kSize), Format::html, How::same).size() > kSize);
    for (const std::string_view what : {"{a} b ", "<a x=\\\"", "<b>", "%s ", "$t(", "{n, plural, other {", "a\\n"})
        CHECK(texts("{\"a\": \"x " + repeated(what, kSize) + "\"}", Format::json).size() < kSize);
    for (const std::string_view what : {"^[", "[^1]", "::: a\n", "[@", "{#", "[^a]: b\n"})
        CHECK(translated(repeated(what, kSize), Format::markdown, How::same).size() >= kSize);
    for (const std::string_view what : {"- a. ", "[a] ", "<i>", "<i>a</i> ", "word "}) {
        const std::string cue = "1\n00:00:01,000 --> 00:00:02,000\n" + repeated(what, kSize) + "\n";
        CHECK(texts(cue, Format::srt).size() < kSize);
        written(cue, Format::srt);
    }
    written("WEBVTT\n\n00:01.000 --> 00:02.000\nx " + repeated("<a>", kSize) + repeated("</b>x", kSize) + "\n",
            Format::vtt);
    for (const std::string_view what : {"{", "{\\p1}", "{\\i1}a", "{\\i1}a{\\i0} ", "{\\k1}a", "\\{", "{\\t(", "a\\N"})
        written("[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,x " + repeated(what, kSize) + "\n", Format::ass);
    const auto field = [](const char* kind) {
        return std::string("<w:r><w:fldChar w:fldCharType=\"") + kind + "\"/></w:r>";
    };
    for (const auto& [before, after] :
         {std::pair{field("begin"), std::string()}, {field("begin"), field("end")}, {"", field("end")}}) {
        std::string runs;
        for (uint32_t i = 0; i < 80'000; ++i)  // numbers, which pack badly: no bomb
            runs += before + "<w:r><w:t>" + std::to_string(i * 2654435761u) + "</w:t></w:r>" + after;
        texts(with("<w:document><w:body><w:p>" + runs + "</w:p></w:body></w:document>"), Format::docx);
    }
}

}  // namespace hostile_test
