// SPDX-License-Identifier: Apache-2.0
#include "fixture.h"

namespace formats_test {

using namespace dragoman::documents;
using namespace dragoman::documents::test;
using Texts = std::vector<std::string>;

namespace {

// Not translated, a document is the same byte for byte.
std::string in_capitals(const std::string& file, Format format) {
    CHECK(translated(file, format, How::same) == file);
    return translated(file, format, How::capitals);
}

}  // namespace

TEST_CASE("formats are found by name and bytes") {
    CHECK(find_format("a.txt", "") == Format::text);
    CHECK(find_format("dir.docx/a", "") == Format::unknown);
    CHECK(find_format("A.DOCX", "") == Format::docx);
    CHECK(find_format("a.docx", "no package") == Format::unknown);
    CHECK(find_format("res/values/strings.xml", "") == Format::android);
    CHECK(find_format("a", "WEBVTT\n") == Format::vtt);
    CHECK(find_format("", "<?xml version=\"1.0\"?>\n<!-- x --><xliff version=\"2.0\">") == Format::xliff);
    CHECK(find_format("", " <!DOCTYPE html><p>x") == Format::html);
    CHECK(find_format("", "some words") == Format::unknown);
    for (int format = 1; format <= 20; ++format) CHECK(format_named(name_of(Format(format))) == Format(format));
}

TEST_CASE("plain text: paragraphs") {
    const std::string file = "one\ntwo\n\n \n  three\r\n\r\n12\n";
    CHECK(texts(file, Format::text) == Texts{"one\ntwo", "  three\r"});
    CHECK(in_capitals(file, Format::text) == "ONE\nTWO\n\n \n  THREE\r\n\r\n12\n");
    CHECK(refusal("a\xff", Format::text) == "document: invalid UTF-8 at byte 1");
}

TEST_CASE("pages") {
    CHECK(in_capitals("<p>one <b>two</b></p><script>three</script>", Format::html) ==
          "<p>ONE <b>TWO</b></p><script>three</script>");
    CHECK(translated("<p>one <b>two</b> three.", Format::html, How::backwards) == "<p>THREE <b>TWO</b> ONE.");
    CHECK(in_capitals("<html lang=\"en\"><body><p>one &amp; two</p></body></html>", Format::xhtml) ==
          "<html lang=\"de\"><body><p>ONE &amp; TWO</p></body></html>");
    CHECK(in_capitals("<html lang=en><p lang=en>one<p lang=fr>deux", Format::html) ==
          "<html lang=de><p lang=de>ONE<p lang=fr>deux");
    CHECK(in_capitals("<html lang=en><p>1", Format::html) == "<html lang=en><p>1");  // nothing was translated
}

TEST_CASE("subtitles") {
    const std::string file =
        "1\n00:00:01,000 --> 00:00:02,000\n<i>one two</i>\r\n\r\n2\n00:00:02,000 --> 00:00:03,000\nthree.\n";
    CHECK(texts(file, Format::srt) == Texts{"one two three."});
    CHECK(in_capitals("WEBVTT\n\n00:01.000 --> 00:02.000\none &amp; <b>two</b>\n", Format::vtt) ==
          "WEBVTT\n\n00:01.000 --> 00:02.000\nONE &amp; <b>TWO</b>\n");
    CHECK(translated(file, Format::srt, How::same) == file);
}

TEST_CASE("Markdown") {
    const std::string file =
        "---\ntitle: one\n---\n# one *two*\n\nsome **bold** and `code` [link](http://x \"t\") text\\*\nnext line\n\n"
        "> quoted\n> lines\n\n- item\n\n```sh\ncode\n```\n\n    more code\n\n| a | b |\n|---|---|\n| cell | [x][y] "
        "|\n\n"
        "![picture](p.png) end\n\n[y]: http://y\n";
    CHECK(texts(file, Format::markdown) == Texts{"one two", "some bold and `_1` link text* next line", "t",
                                                 "quoted lines", "item", "a", "b", "cell", "x", "end", "picture"});
    CHECK(in_capitals(file, Format::markdown) ==
          "---\ntitle: one\n---\n# ONE *TWO*\n\nSOME **BOLD** AND `code` [LINK](http://x \"T\") TEXT\\* NEXT LINE\n\n"
          "> QUOTED LINES\n\n- ITEM\n\n```sh\ncode\n```\n\n    more code\n\n| A | B |\n|---|---|\n| CELL | [X][y] |\n\n"
          "![PICTURE](p.png) END\n\n[y]: http://y\n");
    CHECK(translated("one **two** three.", Format::markdown, How::backwards) == "THREE **TWO** ONE.");
    CHECK(in_capitals("one  \ntwo &amp; <b>three</b>\n", Format::markdown) == "ONE  \nTWO & <b>THREE</b>\n");
}

TEST_CASE("Markdown: blocks of HTML are read as HTML") {
    const std::string file =
        "<p align=\"center\">\n  <b>One</b> two &amp; <code>x</code>\n</p>\n\n<details><summary>More * of it</summary>\n\n"
        "Some *text*.\n\n</details>\n\n<!-- a note -->\n\n<script>\nvar a = 'b';\n</script>\n\n"
        "- <div>in an item\n  goes on</div>\n\n<div lang=\"en\">said</div>\n\n<div lang=\"fr\">dit</div>\n\n"
        "<img alt=\"Picture\" src=\"x.png\">\n\n<?php echo 'x' ?>\n\n<pre>code</pre>\n";
    CHECK(texts(file, Format::markdown) ==
          Texts{"One two & `_1`", "More * of it", "Some text.", "in an item goes on", "said", "Picture"});
    CHECK(translated(file, Format::markdown, How::same) == file);
    CHECK(
        in_capitals(file, Format::markdown) ==
        "<p align=\"center\">\n  <b>ONE</b> TWO &amp; <code>x</code>\n</p>\n\n<details><summary>MORE * OF IT</summary>\n\n"
        "SOME *TEXT*.\n\n</details>\n\n<!-- a note -->\n\n<script>\nvar a = 'b';\n</script>\n\n"
        "- <div>IN AN ITEM GOES ON</div>\n\n<div lang=\"de\">SAID</div>\n\n<div lang=\"fr\">dit</div>\n\n"
        "<img alt=\"PICTURE\" src=\"x.png\">\n\n<?php echo 'x' ?>\n\n<pre>code</pre>\n");
    CHECK(texts("> <div>\n> quoted\n> </div>\n", Format::markdown).empty());  // marks of quotations stand in it
    CHECK(translated("<p>one <b>two</b> three.</p>\n", Format::markdown, How::backwards) ==
          "<p>THREE <b>TWO</b> ONE.</p>\n");
}

TEST_CASE("figures alone are texts where languages write them differently") {
    CHECK(texts("| a | 1,234.50 |\n|---|---|\n| b | 2.1 |\n| 12.99 | 7 |\n", Format::markdown) ==
          Texts{"a", "1,234.50", "b", "12.99"});
    CHECK(texts("1,000.50\n\n1.2.3\n\n2025\n", Format::text) == Texts{"1,000.50"});
    CHECK(texts("<ul><li>1,234.50<li>31.12.2025<li>10.0.0.1<li>10:30</ul>", Format::html) == Texts{"1,234.50"});
}

TEST_CASE("files in UTF-16 with a byte order mark stay so") {
    const auto utf16 = [](std::u16string_view text, bool big) {
        std::string bytes;
        for (const char16_t c : text) {
            const char high = char(c >> 8), low = char(c & 0xff);
            bytes += big ? high : low;
            bytes += big ? low : high;
        }
        return bytes;
    };
    for (const bool big : {false, true}) {
        CAPTURE(big);
        CHECK(translated(utf16(u"\ufeffone \u00e9 \U0001f600.\r\n", big), Format::text, How::capitals) ==
              utf16(u"\ufeffONE \u00e9 \U0001f600.\r\n", big));
        CHECK(translated(utf16(u"\ufeff1\n00:00:01,000 --> 00:00:02,000\none\n", big), Format::srt, How::capitals) ==
              utf16(u"\ufeff1\n00:00:01,000 --> 00:00:02,000\nONE\n", big));
        CHECK(translated(utf16(u"\ufeff\"a\" = \"one\";\n", big), Format::strings, How::capitals) ==
              utf16(u"\ufeff\"a\" = \"ONE\";\n", big));
        CHECK(translated(utf16(u"\ufeff{\"a\": \"one\"}", big), Format::json, How::capitals) ==
              utf16(u"\ufeff{\"a\": \"ONE\"}", big));
        CHECK(translated(utf16(u"\ufeff<?xml version=\"1.0\" encoding=\"UTF-16\"?><resources><string name=\"a\">one"
                               u"</string></resources>",
                               big),
                         Format::android, How::capitals) ==
              utf16(u"\ufeff<?xml version=\"1.0\" encoding=\"UTF-16\"?><resources><string name=\"a\">ONE"
                    u"</string></resources>",
                    big));
        CHECK(translated(utf16(u"\ufeffone\n", big), Format::text, How::same) == utf16(u"\ufeffone\n", big));
        CHECK(refusal(utf16(u"\ufeffone", big) + "x", Format::text) == "document: invalid UTF-16 at byte 8");
        const char16_t lone[] = {0xfeff, 'a', 0xd83d, 'b'};
        CHECK(refusal(utf16({lone, 4}, big), Format::text) == "document: invalid UTF-16 at byte 4");
    }
    CHECK(refusal(std::string("\xff\xfe\0\0a\0\0\0", 8), Format::text).find("got UTF-32") != std::string::npos);
}

TEST_CASE("Markdown: what many programs add") {
    const std::string file =
        "# Title {#id}\n\nOne[^1] and _two_[^note].\n\n[^1]: First\n[^note]: The second\n    goes on.\n\n    And on.\n\n"
        "> [!NOTE]\n> An alert.\n\n> [!tip]- Own title\n> More.\n\n"
        ":::warning Its title\nInside.\n:::\n\n:::note[Other title]{.x}\nBody\n::::\n\n"
        "!!! note \"Third title\"\n    Indented text.\n\n    More text.\n\n"
        "Term\n:   Its meaning\n: Another\n\nSee [@key] and [@user](http://x).\n\n```\n[^1]: code\n:::\n```\n";
    CHECK(texts(file, Format::markdown) == Texts{"Title", "One and two.", "First", "The second goes on.", "And on.",
                                                 "An alert.", "Own title", "More.", "Its title", "Inside.",
                                                 "Other title", "Body", "Third title", "Indented text.", "More text.",
                                                 "Term", "Its meaning", "Another", "See and @user."});
    CHECK(in_capitals(file, Format::markdown) ==
          "# TITLE {#id}\n\nONE[^1] AND _TWO_[^note].\n\n[^1]: FIRST\n[^note]: THE SECOND GOES ON.\n\n    AND ON.\n\n"
          "> [!NOTE]\n> AN ALERT.\n\n> [!tip]- OWN TITLE\n> MORE.\n\n"
          ":::warning ITS TITLE\nINSIDE.\n:::\n\n:::note[OTHER TITLE]{.x}\nBODY\n::::\n\n"
          "!!! note \"THIRD TITLE\"\n    INDENTED TEXT.\n\n    MORE TEXT.\n\n"
          "TERM\n:   ITS MEANING\n: ANOTHER\n\nSEE [@key] AND [@USER](http://x).\n\n```\n[^1]: code\n:::\n```\n");
    CHECK(in_capitals("see `x y` at $a_1$ now for $5\n", Format::markdown) == "SEE `x y` AT $a_1$ NOW FOR $5\n");
    for (const char* odd :
         {"[^", "[^]", "[^1]", ":::", "::", "!!!", "=== \"", "[^1]:", ": ", "> [!x]", "^[", "{#", "!!! a\r\n"})
        CHECK(translated(odd, Format::markdown, How::capitals) == odd);
}

TEST_CASE("EPUB") {
    const std::string opf =
        "<package><metadata><dc:title>one</dc:title><dc:language>en</dc:language><dc:creator>who</dc:creator>"
        "</metadata><manifest><item href=\"a%20b.xhtml\" media-type=\"application/xhtml+xml\"/>"
        "<item href=\"toc.ncx\" media-type=\"application/x-dtbncx+xml\"/></manifest></package>";
    const std::string file =
        packed({{"mimetype", "application/epub+zip"},
                {"META-INF/container.xml", "<container><rootfile full-path=\"OEBPS/x.opf\"/></container>"},
                {"OEBPS/x.opf", opf},
                {"OEBPS/a b.xhtml", "<html><body><p>page <i>text</i></p></body></html>"},
                {"OEBPS/toc.ncx", "<ncx><navLabel><text>chapter</text></navLabel><content src=\"a\"/></ncx>"}});
    CHECK(translated(file, Format::epub, How::same) == file);
    const Members other = members(translated(file, Format::epub, How::capitals));
    CHECK(other[2].second.find("<dc:title>ONE</dc:title><dc:language>de</dc:language><dc:creator>who") !=
          std::string::npos);
    CHECK(other[3].second == "<html lang=\"de\"><body><p>PAGE <i>TEXT</i></p></body></html>");
    CHECK(other[4].second == "<ncx><navLabel><text>CHAPTER</text></navLabel><content src=\"a\"/></ncx>");
}

TEST_CASE("PO: what has no translation gets one, marked") {
    const std::string file =
        "msgid \"\"\nmsgstr \"\"\n\"Language: de\\n\"\n\n#: a.c:1\n#, c-format\nmsgid \"open \"\n\"%s\\n\"\nmsgstr "
        "\"\"\n\n"
        "msgid \"done\"\nmsgstr \"fertig\"\n\n# note\nmsgid \"file\"\nmsgid_plural \"files\"\nmsgstr[0] "
        "\"\"\nmsgstr[1] \"\"\n";
    CHECK(texts(file, Format::po) == Texts{"open {_1}", "file", "files"});
    CHECK(in_capitals(file, Format::po) ==
          "msgid \"\"\nmsgstr \"\"\n\"Language: de\\n\"\n\n#: a.c:1\n#, c-format, fuzzy\nmsgid \"open "
          "\"\n\"%s\\n\"\nmsgstr \"OPEN %s\\n\"\n\n"
          "msgid \"done\"\nmsgstr \"fertig\"\n\n# note\n#, fuzzy\nmsgid \"file\"\nmsgid_plural \"files\"\nmsgstr[0] "
          "\"FILE\"\nmsgstr[1] \"FILES\"\n");
    CHECK(refusal("msgid x\n", Format::po) == "po: line 1: expected a string, got 'msgid x'");
}

TEST_CASE("XLIFF and TMX: a target beside the source") {
    CHECK(in_capitals("<xliff version=\"1.2\"><file source-language=\"en\"><trans-unit><source>one <g "
                      "id=\"1\">two</g><x id=\"2\"/></source>"
                      "</trans-unit><trans-unit><source>three</source><target>drei</target></trans-unit>"
                      "<trans-unit translate=\"no\"><source>four</source></trans-unit></file></xliff>",
                      Format::xliff) ==
          "<xliff version=\"1.2\"><file source-language=\"en\" target-language=\"de\"><trans-unit><source>one <g "
          "id=\"1\">two</g>"
          "<x id=\"2\"/></source><target>ONE <g id=\"1\">TWO</g><x "
          "id=\"2\"/></target></trans-unit><trans-unit><source>three"
          "</source><target>drei</target></trans-unit><trans-unit "
          "translate=\"no\"><source>four</source></trans-unit></file></xliff>");
    CHECK(in_capitals("<xliff version=\"2.0\" srcLang=\"en\" trgLang=\"de\"><file><unit><segment><source>a <ph "
                      "id=\"1\"/>b</source>"
                      "<target/></segment></unit></file></xliff>",
                      Format::xliff)
              .find("<source>a <ph id=\"1\"/>b</source><target>A <ph id=\"1\"/>B</target></segment>") !=
          std::string::npos);
    CHECK(
        in_capitals(
            "<tmx><header srclang=\"en\"/><body><tu><tuv xml:lang=\"en-US\"><seg>one <bpt>{b}</bpt>two</seg></tuv></tu>"
            "<tu><tuv xml:lang=\"en\"><seg>x</seg></tuv><tuv xml:lang=\"de\"><seg>y</seg></tuv></tu></body></tmx>",
            Format::tmx) ==
        "<tmx><header srclang=\"en\"/><body><tu><tuv xml:lang=\"en-US\"><seg>one <bpt>{b}</bpt>two</seg></tuv>"
        "<tuv xml:lang=\"de\"><seg>ONE <bpt>{b}</bpt>TWO</seg></tuv></tu>"
        "<tu><tuv xml:lang=\"en\"><seg>x</seg></tuv><tuv xml:lang=\"de\"><seg>y</seg></tuv></tu></body></tmx>");
}

TEST_CASE("JSON and ARB") {
    CHECK(in_capitals("{ \"key\": [\"one \\\"two\\\"\", 3, true, {\"a\":\"\\u00e9t\"}], \"b\":\"12\" }\n",
                      Format::json) ==
          "{ \"key\": [\"ONE \\\"TWO\\\"\", 3, true, {\"a\":\"\xC3\xA9T\"}], \"b\":\"12\" }\n");
    const std::string arb =
        "{\"@@locale\":\"en\",\"files\":\"{n, plural, =0{none} other{# files {name}}}\","
        "\"@files\":{\"description\":\"some words\"}}";
    CHECK(texts(arb, Format::arb) == Texts{"none", "{_1} files {_2}"});
    CHECK(in_capitals(arb, Format::arb) ==
          "{\"@@locale\":\"de\",\"files\":\"{n, plural, =0{NONE} other{# FILES {name}}}\","
          "\"@files\":{\"description\":\"some words\"}}");
    CHECK(refusal("{\"a\": tru}", Format::json).starts_with("JSON: "));
    CHECK(refusal(std::string("{}\0\"}", 5), Format::json) == "JSON: expected text, got a zero byte at byte 2");
    CHECK(refusal(std::string(300, '[') + std::string(300, ']'), Format::json).find("256") != std::string::npos);
}

TEST_CASE("strings of Android and Apple") {
    CHECK(
        in_capitals(
            "<resources><string name=\"a\">don\\'t <b>do</b> <xliff:g id=\"x\">%s</xliff:g></string><string name=\"b\" "
            "translatable=\"false\">kept</string><plurals name=\"c\"><item "
            "quantity=\"one\">file</item></plurals></resources>",
            Format::android) ==
        "<resources><string name=\"a\">DON\\'T <b>DO</b> <xliff:g id=\"x\">%s</xliff:g></string><string name=\"b\" "
        "translatable=\"false\">kept</string><plurals name=\"c\"><item "
        "quantity=\"one\">FILE</item></plurals></resources>");
    CHECK(in_capitals("/* \"x\" = */ \"key = \" = \"one \\\"two\\\"\\n\"; // \"y\"\n\"k\"=\"v w\";\n",
                      Format::strings) ==
          "/* \"x\" = */ \"key = \" = \"ONE \\\"TWO\\\"\\n\"; // \"y\"\n\"k\"=\"V W\";\n");
    CHECK(refusal("\"a\" = \"b", Format::strings).find("byte 6") != std::string::npos);
}

TEST_CASE("Markdown: HTML in lines") {
    CHECK(in_capitals("H<sub>2</sub>O and the king<sup>1</sup> died.\n", Format::markdown) ==
          "H<sub>2</sub>O AND THE KING<sup>1</sup> DIED.\n");
    CHECK(translated("one <b>two</b> three.\n", Format::markdown, How::backwards) == "THREE <b>TWO</b> ONE.\n");
    CHECK(texts("Press <kbd>Ctrl</kbd> now\n", Format::markdown) == Texts{"Press `_1` now"});
    CHECK(in_capitals("| Old<br>And tired | One<br>two |\n|---|---|\n", Format::markdown) ==
          "| OLD<br>AND TIRED | ONE<br>TWO |\n|---|---|\n");
    CHECK(texts("Old<br>And tired\n", Format::markdown) == Texts{"Old\nAnd tired"});
    for (const char* odd :
         {"a *b <b>c* d</b>\n", "a <b>c\n", "a </b> c\n", "<kbd>a\n", "a <br/>\n", "a <!-- b --> c\n"})
        CHECK_MESSAGE(translated(odd, Format::markdown, How::same) == odd, odd);
    CHECK(in_capitals("a *b <b>c* d</b>\n", Format::markdown) == "A *B <b>C* D</b>\n");
}

TEST_CASE("Markdown: links of wikis, marked words, abbreviations, lines of templates") {
    CHECK(texts("[[Page]] is, [[page|the other one]] and ![[a.png]]\n", Format::markdown) ==
          Texts{"{_1} is, the other one and {_2}"});
    CHECK(in_capitals("[[Page]] is, [[page|the other one]] is\n", Format::markdown) ==
          "[[Page]] IS, [[page|THE OTHER ONE]] IS\n");
    CHECK(in_capitals("Some ==marked words== and H~2~O `[[x]]` a == b\n", Format::markdown) ==
          "SOME ==MARKED WORDS== AND H~2~O `[[x]]` A == B\n");
    CHECK(in_capitals("*[HTML]: A language\n*[CSS]: Another one\n", Format::markdown) ==
          "*[HTML]: A LANGUAGE\n*[CSS]: ANOTHER ONE\n");
    const std::string lines = "{{< note >}}\nOne two.\n{{< /note >}}\n\n{% if x %}\nThree\n{% endif %}\n{: .class }\n";
    CHECK(texts(lines, Format::markdown).front() == "One two.");
    CHECK(in_capitals(lines, Format::markdown)
              .starts_with("{{< note >}}\nONE TWO.\n{{< /note >}}\n\n{% if x %}\nTHREE\n"));
    for (const char* odd : {"[[", "[[]]", "[[a", "[[a|]]", "==", "== a ==", "====", "*[]: x", "{{", "{%", "{{ a }} b"})
        CHECK_MESSAGE(translated(odd, Format::markdown, How::same) == odd, odd);
}

TEST_CASE("Markdown: texts of pictures, titles, notes in a line") {
    const std::string file =
        "![A house](h.png \"In *summer*\") and [![Built](b.svg)](x 'the \"t\"')^[a note]\n\n| ![In a cell](c) | x |\n"
        "|---|---|\n\n[n]: http://x \"Its title\"\n[m]: <a b>\n  (more)\n\n    [k]: http://x \"code\"\n\n"
        "```\n[k]: http://x \"code\"\n```\n\n![a *b*](c)\n\nA line\n[n]: y \"of a paragraph\"\n";
    CHECK(texts(file, Format::markdown) == Texts{"and", "A house", "In *summer*", "Built", "the \"t\"", "a note",
                                                 "In a cell", "x", "A line n: y \"of a paragraph\"", "Its title",
                                                 "more"});
    CHECK(translated(file, Format::markdown, How::same) == file);
    CHECK(in_capitals(file, Format::markdown)
              .starts_with("![A HOUSE](h.png \"IN *SUMMER*\") AND [![BUILT](b.svg)](x 'THE \"T\"')^[A NOTE]\n\n"
                           "| ![IN A CELL](c) | X |\n|---|---|\n\n[n]: http://x \"ITS TITLE\"\n[m]: <a b>\n  (MORE)\n\n"
                           "    [k]: http://x \"code\"\n\n```\n[k]: http://x \"code\"\n```\n\n![a *b*](c)\n\n"));
    CHECK(in_capitals("[a](b \"say \\\"x\\\"\")\n", Format::markdown) == "[A](b \"SAY \\\"X\\\"\")\n");
    for (const char* odd : {"![", "![]", "![]()", "![](a \"", "[a]: ", "[a]: b \"", "[a]: b \"c\" d", "[]: b \"c\"",
                            "^[]", "[a](<b \"c\")", "[a]: <b \"c\""})
        CHECK_MESSAGE(translated(odd, Format::markdown, How::same) == odd, odd);
}

TEST_CASE("Markdown: a link whose text is its name keeps the name") {
    const std::string names = "\n\n[one]: a\n[two]: b\n[three]: c\n[`four`]: d\n[five]: e\n";
    CHECK(in_capitals("See [one], [two][], [`four`] and [one two][five] in ![three] now." + names, Format::markdown) ==
          "SEE [ONE][one], [TWO][two], [`four`] AND [ONE TWO][five] IN ![THREE][three] NOW." + names);
    CHECK(in_capitals("- [one]\n- **[two][]**\n- [three] [five]\n" + names, Format::markdown) ==
          "- [ONE][one]\n- **[TWO][two]**\n- [THREE][three] [FIVE][five]\n" + names);
    CHECK(in_capitals("See [none] and ![two][]." + names, Format::markdown) ==
          "SEE \\[NONE\\] AND ![TWO][two]." + names);
    CHECK(in_capitals("> See [one\n> two].\n\n[one two]: a\n", Format::markdown) ==
          "> SEE [ONE TWO][one two].\n\n[one two]: a\n");
}

TEST_CASE("Markdown: statements of programs, keys, inserted words") {
    const std::string file =
        "import A from './a'\nimport {\n  B,\n} from 'b'\n\nexport const x = {\n  y: 'one two',\n};\n\n"
        "import the dog from the house.\n";
    CHECK(texts(file, Format::markdown) == Texts{"import the dog from the house."});
    CHECK(translated(file, Format::markdown, How::same) == file);
    CHECK(in_capitals("Press ++ctrl+alt+c++ now and ++new words++ in C++ and C++.\n", Format::markdown) ==
          "PRESS ++ctrl+alt+c++ NOW AND ++NEW WORDS++ IN C++ AND C++.\n");
}

TEST_CASE("Markdown: HTML in cells, tags of templates, formulas, brackets that other programs read") {
    const std::string cell = "| <ul><li>One dog</li><li>Two dogs</li></ul> | b |\n|---|---|\n";
    CHECK(texts(cell, Format::markdown) == Texts{"One dog\tTwo dogs", "b"});
    CHECK(in_capitals(cell, Format::markdown) == "| <ul><li>ONE DOG</li><li>TWO DOGS</li></ul> | B |\n|---|---|\n");
    CHECK(in_capitals("Hello <img src=\"x\" alt=\"A dog\"> end.\n", Format::markdown) ==
          "HELLO <img src=\"x\" alt=\"A DOG\"> END.\n");
    CHECK(in_capitals("{% include \"a.html\" %} The dog {{< x y=\"z\" >}} is\n", Format::markdown) ==
          "{% include \"a.html\" %} THE DOG {{< x y=\"z\" >}} IS\n");
    CHECK(in_capitals("[TOC]\n\nOne http://x.y/~a_b_?c=1&d=2 & two&copy; \\&lt;\n", Format::markdown) ==
          "[TOC]\n\nONE HTTP://X.Y/~A_B_?C=1&D=2 & TWO\u00a9 \\&LT;\n");
    CHECK(texts("%% a comment %%\n\nA text\n", Format::markdown) == Texts{"A text"});
    CHECK(in_capitals("Math \\(a+b\\) and \\(word\\)\n", Format::markdown) == "MATH \\(a+b\\) AND (WORD)\n");
    CHECK(in_capitals("See [One dog][a.B], [two]{.x}, [`c`][d.e] and [`f`].\n", Format::markdown) ==
          "SEE [ONE DOG][a.B], [TWO]{.x}, [`c`][d.e] AND [`f`].\n");
    CHECK(in_capitals("Costs \\$5 or $6\n", Format::markdown) == "COSTS \\$5 OR \\$6\n");
    CHECK(texts("Term\n  ~ Its meaning\n", Format::markdown) == Texts{"Term", "Its meaning"});
    CHECK(in_capitals("![a](b.png){width=50%} and `c`{x=\"y\"}\n", Format::markdown) ==
          "![A](b.png){width=50%} AND `c`{x=\"y\"}\n");
    for (const char* odd : {"[a]{", "[a]{.", "[a][", "[a][b", "[`", "[`a", "[`]", "\\(", "\\(a+", "{%", "{{<", "{{% a",
                            "~ ", "<p a=\"", "![a](b){c=", "[a][b][c]"})
        CHECK_MESSAGE(translated(odd, Format::markdown, How::same) == odd, odd);
}

}  // namespace formats_test
