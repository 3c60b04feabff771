// SPDX-License-Identifier: Apache-2.0
#include "documents/strings/icu_message.h"
#include "documents/strings/inline_tags.h"
#include "documents/strings/plural_rule.h"
#include "fixture.h"

namespace strings_test {

using namespace dragoman::documents;
using namespace dragoman::documents::test;
using Texts = std::vector<std::string>;

namespace {

std::string json(const std::string& value) { return "{\"a\": \"" + value + "\"}"; }
std::string po(const std::string& flags, const std::string& id) {
    return "#, " + flags + "\nmsgid \"" + id + "\"\nmsgstr \"\"\n";
}
// The translation of the only message.
std::string message(const std::string& file, How how) {
    const std::string written = translated(file, Format::po, how);
    const std::size_t at = written.rfind("msgstr \"") + 8;
    return written.substr(at, written.rfind('"') - at);
}
std::string value(const std::string& text, How how) {
    const std::string written = translated(json(text), Format::json, how);
    return written.substr(7, written.size() - 9);
}
std::string resource(const std::string& content, How how) {
    const std::string begin = "<resources><string name=\"a\">", end = "</string></resources>";
    CHECK(translated(begin + content + end, Format::android, How::same) == begin + content + end);
    const std::string written = translated(begin + content + end, Format::android, how);
    return written.substr(begin.size(), written.size() - begin.size() - end.size());
}

}  // namespace

TEST_CASE("placeholders of programs keep their places and are written as they were") {
    CHECK(texts(json("{{count}} of ${name}, $t(x.y) and @:a.b."), Format::json) ==
          Texts{"{_1} of {_2}, {_3} and {_4}."});
    CHECK(value("{{count}} of ${name} and @:a.b, :total", How::capitals) == "{{count}} OF ${name} AND @:a.b, :total");
    CHECK(value("one %{n} two", How::backwards).find("%{n}") != std::string::npos);
    CHECK(value("one | two", How::capitals) == "ONE | TWO");
    CHECK(value("{{count}}", How::capitals) == "{{count}}");
}

TEST_CASE("formats that take the next argument are numbered where a translation has them in another order") {
    CHECK(message(po("c-format", "%s one %d two"), How::capitals) == "%s ONE %d TWO");
    const std::string swapped = message(po("c-format", "%s one %d two"), How::backwards);
    CHECK(swapped.find("%2$d") < swapped.find("%1$s"));
    CHECK(message(po("python-format", "%s one %d two"), How::backwards) == "");
    CHECK(message(po("python-format", "%(a)s one %(b)d two"), How::backwards).find("%(b)d") != std::string::npos);
    CHECK(message(po("c-format", "%*d one %d two"), How::backwards) == "");
}

TEST_CASE("percent signs of formats") {
    CHECK(texts(po("c-format", "100%% of %s"), Format::po) == Texts{"100% of {_1}"});
    CHECK(message(po("c-format", "100%% of %s"), How::capitals) == "100%% OF %s");
    CHECK(message(po("no-c-format", "100% of it"), How::capitals) == "100% OF IT");
}

TEST_CASE("tabs and line ends of strings stay; a sentence that goes on in the next line is one") {
    CHECK(texts(json("save\\tCtrl+S"), Format::json) == Texts{"save", "Ctrl+S"});
    CHECK(message(po("x", "Save\\tnow\\n"), How::capitals) == "SAVE\\tNOW\\n");
    CHECK(texts(json("One.\\nTwo\\ngoes on"), Format::json) == Texts{"One.", "Two goes on"});
    CHECK(value("One.\\nTwo\\ngoes on", How::capitals) == "ONE.\\nTWO\\nGOES ON");
}

TEST_CASE("tags in strings are marks") {
    CHECK(value("one <a href=\\\"{url}\\\">two</a>, <0>three</0> <br/>four &amp; <file>", How::capitals) ==
          "ONE <a href=\\\"{url}\\\">TWO</a>, <0>THREE</0> <br/>FOUR &amp; <file>");
    CHECK(texts(json("one <b>two</b><br>three x < y"), Format::json) == Texts{"one two", "three x < y"});
    CHECK(value("one <b>two</b> three.", How::backwards) == "THREE <b>TWO</b> ONE.");
    CHECK(value("a & b < c", How::capitals) == "A & B < C");
    CHECK(inline_tags("x <5 and y> 3").empty());
    CHECK(inline_tags("a < b > c").empty());
}

TEST_CASE("XLIFF: lines of a source that preserves them") {
    const auto file = [](const std::string& space, const std::string& target) {
        return "<xliff version=\"1.2\"><file target-language=\"de\"><trans-unit" + space +
               "><source>  The cat sleeps.\n  The dog barks.</source>" + target + "</trans-unit></file></xliff>";
    };
    const std::string preserve = " xml:space=\"preserve\"";
    CHECK(texts(file(preserve, ""), Format::xliff) == Texts{"The cat sleeps.\nThe dog barks."});
    CHECK(translated(file(preserve, ""), Format::xliff, How::capitals) ==
          file(preserve, "<target>  THE CAT SLEEPS.\nTHE DOG BARKS.</target>"));
    CHECK(texts(file("", ""), Format::xliff) == Texts{"The cat sleeps. The dog barks."});
}

TEST_CASE("XLIFF: messages of ICU have a text for each form") {
    const auto file = [](const std::string& source, const std::string& target) {
        return "<xliff version=\"1.2\"><file target-language=\"de\"><trans-unit><source>" + source + "</source>" +
               target + "</trans-unit></file></xliff>";
    };
    const std::string message =
        "{VAR_PLURAL, plural, =0 {no dogs} other {<x id=\"INTERPOLATION\" equiv-text=\"{{n}}\"/> dogs}}";
    CHECK(texts(file(message, ""), Format::xliff) == Texts{"no dogs", "{_1} dogs"});
    CHECK(translated(file(message, ""), Format::xliff, How::capitals) ==
          file(message,
               "<target>{VAR_PLURAL, plural, =0 {NO DOGS} other {<x id=\"INTERPOLATION\" "
               "equiv-text=\"{{n}}\"/> DOGS}}</target>"));
    CHECK(translated(file("{n, plural, one {# file} other {# &amp; files}}", "<target/>"), Format::xliff,
                     How::capitals) == file("{n, plural, one {# file} other {# &amp; files}}",
                                            "<target>{n, plural, one {# FILE} other {# &amp; FILES}}</target>"));
    CHECK(translated(file(message, "<target>x</target>"), Format::xliff, How::capitals) ==
          file(message, "<target>x</target>"));
    const std::string both =
        "<xliff version=\"1.2\"><file target-language=\"de\"><trans-unit><source>one</source></trans-unit>"
        "<trans-unit><source>{g, select, a {two} other {three}}</source></trans-unit><trans-unit>"
        "<source>four</source></trans-unit></file></xliff>";
    const std::string written = translated(both, Format::xliff, How::capitals);
    CHECK(written.find("<target>ONE</target>") != written.npos);
    CHECK(written.find("<target>{g, select, a {TWO} other {THREE}}</target>") != written.npos);
    CHECK(written.find("<target>FOUR</target>") != written.npos);
}

TEST_CASE("messages of ICU: each form is a whole sentence") {
    CHECK(whole_forms("one {n, plural, one {# two} other {# three}} four") ==
          "{n, plural, one {one # two four} other {one # three four}}");
    CHECK(whole_forms("{g, select, male {he has {n, plural, one {# a} other {# b}}.} other {c}}") ==
          "{g, select, male {{n, plural, one {he has # a.} other {he has # b.}}} other {c}}");
    CHECK(whole_forms("{n, plural, other {# of {m, plural, other {x}}}}") ==
          "{n, plural, other {# of {m, plural, other {x}}}}");
    CHECK(whole_forms("no {name} '{n, plural,' forms") == "no {name} '{n, plural,' forms");
    const std::string nested = "{g, select, male {he {n, plural, =0 {a} other {# b}}} other {c}} d";
    CHECK(texts(json(nested), Format::json) == Texts{"he a d", "he {_1} b d", "c d"});
    CHECK(value(nested, How::capitals) == "{g, select, male {{n, plural, =0 {HE A D} other {HE # B D}}} other {C D}}");
    CHECK(texts(json("hello '{Isn''t}' this one"), Format::json) == Texts{"hello {_1} this one"});
    CHECK(texts(json("it's a '{' or '}'' here"), Format::json) == Texts{"it's a {_1} or '}'' here"});
    std::string deep = "x";
    for (int i = 0; i < 1000; ++i) deep = "{n, plural, other {" + deep + "}}";
    CHECK(whole_forms(deep) == deep);
    std::string many = "x";
    for (int i = 0; i < 20; ++i) many += " {n, select, a {x} other {y}}";
    CHECK(whole_forms(many) == many);
    for (const char* broken : {"{n, plural, other {x}", "{n, plural, other}", "{n, plural,", "}{", "{n, plural, {"})
        CHECK(icu_forms(broken).empty());
}

TEST_CASE("gettext's word for who translates is no text") {
    CHECK(texts("msgid \"translator-credits\"\nmsgstr \"\"\n\nmsgid \"one\"\nmsgstr \"\"\n", Format::po) ==
          Texts{"one"});
}

TEST_CASE("plural forms of gettext") {
    const PluralRule french("Language: fr\nPlural-Forms: nplurals=2; plural=(n > 1);\n");
    CHECK(french.form(1) == 0);
    CHECK(french.form(2) == 1);
    CHECK(french.has_others(0));
    const PluralRule russian(
        "Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && "
        "(n%100<12 || n%100>14) ? 1 : 2);\n");
    CHECK(russian.form(21) == 0);
    CHECK(russian.form(22) == 1);
    CHECK(russian.form(11) == 2);
    for (const char* broken :
         {"", "Plural-Forms: x", "Plural-Forms: nplurals=2; plural=n/0;", "Plural-Forms: nplurals=2; plural=((((n;"})
        CHECK(PluralRule(broken).form(5) == 1);
    CHECK(PluralRule("Plural-Forms: nplurals=2; plural=" + std::string(900, '!') + "n;").form(5) == 1);
    const auto file = [](const std::string& rule, const std::string& strings) {
        return "msgid \"\"\nmsgstr \"\"\n\"Plural-Forms: " + rule +
               "\\n\"\n\nmsgid \"one file\"\nmsgid_plural \"%d files\"\n" + strings;
    };
    const std::string two = "msgstr[0] \"\"\nmsgstr[1] \"\"\n";
    CHECK(texts(file("nplurals=2; plural=n!=1;", two), Format::po) == Texts{"one file", "{_1} files"});
    CHECK(texts(file("nplurals=2; plural=n>1;", two), Format::po) == Texts{"{_1} files", "{_1} files"});
    CHECK(texts(file("nplurals=1; plural=0;", "msgstr[0] \"\"\n"), Format::po) == Texts{"{_1} files"});
}

TEST_CASE("Android: escapes, references, sections, quotation marks") {
    CHECK(resource("we can\\u2019t &amp; won\\'t", How::capitals) == "WE CAN\xE2\x80\x99T &amp; WON\\'T");
    CHECK(resource("@string/one", How::capitals) == "@string/one");
    CHECK(resource("\"it\\'s 'one'\"", How::capitals) == "\"IT\\'S \\'ONE\\'\"");
    CHECK(resource("100%% of %1$s", How::capitals) == "100%% OF %1$s");
    CHECK(resource("one\\ntwo", How::capitals) == "ONE\\nTWO");
    CHECK(resource("hi, <xliff:g id=\"n\">%s</xliff:g>!", How::capitals) == "HI, <xliff:g id=\"n\">%s</xliff:g>!");
    CHECK(resource("one &lt;b&gt;two&lt;/b&gt; three.", How::backwards) == "THREE &lt;b&gt;TWO&lt;/b&gt; ONE.");
    CHECK(resource("<![CDATA[one <b>two</b>, <i>it's</i>]]>", How::capitals) ==
          "<![CDATA[ONE <b>TWO</b>, <i>IT\\'S</i>]]>");
    CHECK(resource("one <![CDATA[<b>%1$s</b>]]> two", How::capitals) == "ONE <![CDATA[<b>%1$s</b>]]> TWO");
    CHECK(resource("%1$s", How::capitals) == "%1$s");
}

TEST_CASE("XLIFF: entities of the document, tags of another format, values") {
    const auto target = [](const std::string& source, How how) {
        const std::string file =
            "<!DOCTYPE xliff [<!ENTITY brand \"x\">]><xliff version=\"1.2\"><file "
            "target-language=\"de\"><trans-unit><source>" +
            source + "</source></trans-unit></file></xliff>";
        CHECK(translated(file, Format::xliff, How::same) == file);
        const std::string written = translated(file, Format::xliff, how);
        const std::size_t at = written.find("<target>") + 8;
        return written.substr(at, written.find("</target>") - at);
    };
    CHECK(target("&brand; is one.", How::capitals) == "&brand; IS ONE.");
    CHECK(target("one &brand; two &lt;b&gt;three&lt;/b&gt;<!-- c -->", How::capitals) ==
          "ONE &brand; TWO &lt;b&gt;THREE&lt;/b&gt;<!-- c -->");
    // A line break is a blank between words, and goes with the word behind it.
    CHECK(target("one<x id=\"LINE_BREAK\" ctype=\"lb\" equiv-text=\"&lt;br/&gt;\"/>two", How::backwards) ==
          "<x id=\"LINE_BREAK\" ctype=\"lb\" equiv-text=\"&lt;br/&gt;\"/>TWO ONE");
    CHECK(target("one<ph id=\"1\">&lt;br&gt;</ph>two", How::backwards) == "<ph id=\"1\">&lt;br&gt;</ph>TWO ONE");
    CHECK(target("one <x id=\"INTERPOLATION\" equiv-text=\"{{n}}\"/> two", How::backwards).find("/> ONE") !=
          std::string::npos);
}

TEST_CASE("without names nothing stands for what stays") {
    const std::string file = json("{{count}} of {n} files, {x}.");
    const Document document(file, Format::json, {"en", "de"}, /*names=*/false);
    REQUIRE(document.texts().size() == 1);
    CHECK(document.texts()[0] == "of files, .");
    const dragoman::documents::Translation translation{"OF FILES, .", {}};
    const std::string written = document.write(std::span(&translation, 1));
    for (const char* kept : {"{{count}}", "{n}", "{x}", "FILES"}) CHECK(written.find(kept) != std::string::npos);
}

// The translation of a message into a text of the test's own.
static std::string message_as(const std::string& id, const std::string& target) {
    const Document document(po("x", id), Format::po, {"en", "de"});
    const dragoman::documents::Translation translation{target, {}};
    const std::string written = document.write(std::span(&translation, document.texts().size()));
    const std::size_t at = written.rfind("msgstr \"") + 8;
    return written.substr(at, written.rfind('"') - at);
}

TEST_CASE("marks of menus' letters are no part of the text, and stand before the same letter or the first") {
    CHECK(texts(json("E&xit"), Format::json) == Texts{"Exit"});
    CHECK(texts(po("x", "_Save"), Format::po) == Texts{"Save"});
    CHECK(value("E&xit", How::capitals) == "E&XIT");
    CHECK(message(po("x", "Sa_ve"), How::capitals) == "SA_VE");
    CHECK(message_as("E&xit", "Beenden") == "&Beenden");
    CHECK(message_as("&Help", "Hilfe") == "&Hilfe");
    CHECK(message_as("_Open File", "Datei öffnen") == "_Datei öffnen");
    CHECK(message_as("Open &File...", "Datei öffnen ...") == "Datei ö&ffnen ...");
    CHECK(message_as("Show &hidden files", "Dateien im Haus") == "Dateien im &Haus");
    CHECK(message_as("Be&enden", "Close and exit") == "Close and &exit");
    CHECK(message_as("Datei &öffnen", "Open Öl") == "Open &Öl");
    CHECK(message_as("&1 page", "1 Seite") == "&1 Seite");
    CHECK(message_as("&File", "\u6587\u4ef6...") == "\u6587\u4ef6(&F)...");
    CHECK(value("<b>&One</b> two", How::capitals) == "<b>&ONE</b> TWO");
    CHECK(value("E&xit\\tCtrl+Q", How::capitals) == "E&XIT\\tCTRL+Q");
    CHECK(value("&Yes\\n&No", How::capitals) == "&YES\\n&NO");
    CHECK(texts(json("Do you want to _save the file?"), Format::json) == Texts{"Do you want to save the file?"});
    CHECK(texts(po("x", "Select a_ll"), Format::po) == Texts{"Select all"});
    CHECK(texts(po("python-format", "_Open %(file_name)s"), Format::po) == Texts{"Open {_1}"});
    for (const char* none : {"AT&T",         "R&D and Q&A",         "Drag&Drop",       "drag&drop", "Tom & Jerry",
                             "a && b",       "Enter user_name",     "is_valid text",   "_blank",    "__init__ of it",
                             "MAX_VALUE",    "file_name.txt",       "one &two &three", "x&amp;y",   "a_b_c",
                             "This is _it_", "http://x.y/?a=1&b=2", "Set user_id",     "x_axis",    "&nbsp;one"})
        CHECK_MESSAGE(value(none, How::same) == none, none);
    CHECK(texts(json("AT&T"), Format::json) == Texts{"AT&T"});
    CHECK(texts(json("Enter user_name"), Format::json) == Texts{"Enter user_name"});
    CHECK(texts(json("drag&drop"), Format::json) == Texts{"drag&drop"});
    CHECK(texts(json("one &two &three"), Format::json) == Texts{"one &two &three"});
    CHECK(texts(json("file_name.txt is it"), Format::json) == Texts{"file_name.txt is it"});
}

TEST_CASE("XLIFF and TMX: marks of menus' letters") {
    const std::string xliff =
        "<xliff version=\"1.2\"><file target-language=\"de\"><trans-unit><source>E&amp;xit <g id=\"1\">now</g></source>"
        "</trans-unit></file></xliff>";
    CHECK(texts(xliff, Format::xliff) == Texts{"Exit now"});
    CHECK(translated(xliff, Format::xliff, How::capitals).find("<target>E&amp;XIT <g id=\"1\">NOW</g></target>") !=
          std::string::npos);
    const std::string tmx =
        "<tmx version=\"1.4\"><header srclang=\"en\"/><body><tu><tuv xml:lang=\"en\"><seg>_Save</seg></tuv></tu></body>"
        "</tmx>";
    CHECK(translated(tmx, Format::tmx, How::capitals).find("<seg>_SAVE</seg>") != std::string::npos);
}

TEST_CASE("figures alone are texts where languages write them differently, and programs do not read them") {
    for (const char* amount : {"1,234.50", "$2.75", "1.234,50", "1,5"})
        CHECK(texts(json(amount), Format::json) == Texts{amount});
    for (const char* other :
         {"1.5", "0.75", "1.2.3", "99.5%", "31.12.2025", "192.168.1.1", "10:30", "1234", "52.52,13.40"})
        CHECK_MESSAGE(texts(json(other), Format::json).empty(), other);
}

TEST_CASE("Android: lines and tabs divide a text, characters in two units are one") {
    CHECK(resource("One\\n\\n\\tTwo <b>three</b>", How::capitals) == "ONE\\n\\n\\tTWO <b>THREE</b>");
    CHECK(resource("One two\\nThree", How::backwards) ==
          "THREE TWO\\nONE");  // where the translation has its line's end
    CHECK(texts("<resources><string name=\"a\">One\\nTwo\\nand three</string></resources>", Format::android) ==
          Texts{"One\nTwo and three"});
    CHECK(texts("<resources><string name=\"a\">\\u2022 One dog\\n\\u2022 two cats\\n3. mice</string></resources>",
                Format::android) == Texts{"\u2022 One dog\n\u2022 two cats\n3. mice"});
    CHECK(texts("<resources><string name=\"a\">- One dog\\n- two\\n- mice\\nand men</string></resources>",
                Format::android) == Texts{"- One dog\n- two\n- mice and men"});
    CHECK(resource("5\\u00A0dollars", How::capitals) == "5\\u00A0DOLLARS");
    CHECK(resource("\\uD83D\\uDE00 one", How::capitals) == "\xF0\x9F\x98\x80 ONE");
    for (const char* odd : {"\\uD83D one", "\\uD83D\\u0041 one", "\\uDE00\\uD83D one", "\\u12 one"})
        CHECK_MESSAGE(resource(odd, How::same) == odd, odd);
}

TEST_CASE("XLIFF: codes that break a line, by their data, and declared blanks") {
    const auto target = [](const std::string& source) {
        const std::string file =
            "<!DOCTYPE xliff [<!ENTITY nbsp \"&#160;\">]><xliff version=\"2.0\" trgLang=\"de\"><file><unit>"
            "<originalData><data id=\"d1\">&lt;br/&gt;</data><data id=\"d2\">{n}</data></originalData><segment><source>" +
            source + "</source></segment></unit></file></xliff>";
        const std::string written = translated(file, Format::xliff, How::capitals);
        const std::size_t at = written.find("<target>") + 8;
        return written.substr(at, written.find("</target>") - at);
    };
    CHECK(target("Line one<ph id=\"1\" dataRef=\"d1\"/>Line two") == "LINE ONE<ph id=\"1\" dataRef=\"d1\"/>LINE TWO");
    CHECK(target("<ph id=\"1\" dataRef=\"d2\"/> dogs") == "<ph id=\"1\" dataRef=\"d2\"/> DOGS");
    CHECK(target("10&nbsp;dogs") == "10&nbsp;DOGS");
}

TEST_CASE("alternatives of templates, endings of numbers, columns and Qt's arguments") {
    CHECK(texts(json("{{#if ok}}One{{else}}Two{{/if}}"), Format::json) == Texts{"One", "Two"});
    CHECK(value("Price:&nbsp;5&nbsp;dollars", How::capitals) == "PRICE:&nbsp;5&nbsp;DOLLARS");
    CHECK(texts(json("{% if ok %}One{% endif %}"), Format::json) == Texts{"One"});
    CHECK(texts(json("Hi {{#name}}{{name}}{{/name}}!"), Format::json) == Texts{"Hi {_1}{_2}{_3}!"});
    CHECK(texts(json("{n, selectordinal, two {#nd place} other {#th place}}"), Format::json) ==
          Texts{"{_1}th place", "{_1}th place"});
    CHECK(value("-h, --help     show this help", How::capitals) == "-H, --HELP     SHOW THIS HELP");
    CHECK(texts(json("-h, --help     show this help"), Format::json) == Texts{"-h, --help", "show this help"});
    CHECK(texts(po("qt-format", "%1 of %L2 files, %n left"), Format::po) == Texts{"{_1} of {_2} files, {_3} left"});
    CHECK(texts(po("c-format", "5%n 100% of"), Format::po) == Texts{"5%n 100% of"});
    CHECK(message(po("qt-format", "%1 one %2 two"), How::backwards).find("$") == std::string::npos);
}

TEST_CASE("Android: values of styles and of other types than strings stay") {
    CHECK(texts("<resources><style name=\"S\"><item name=\"a\">bold</item></style><item name=\"n\" type=\"dimen\">one"
                "</item><item name=\"t\" type=\"string\">two</item><string-array name=\"x\"><item>three</item>"
                "</string-array><string name=\"b\" translate=\"no\">four</string></resources>",
                Format::android) == Texts{"two", "three"});
}

TEST_CASE("PO: the mark of an unsure translation comes before the older message") {
    CHECK(translated("#: a.c:1\n#| msgid \"old\"\nmsgctxt \"x\"\nmsgid \"new one\"\nmsgstr \"\"\n", Format::po,
                     How::capitals) ==
          "#: a.c:1\n#, fuzzy\n#| msgid \"old\"\nmsgctxt \"x\"\nmsgid \"new one\"\nmsgstr \"NEW ONE\"\n");
}

TEST_CASE("formats with names in angle brackets") {
    CHECK(texts(po("ruby-format", "%<name>s is %<n>.2f and %<PRIu64> a dog"), Format::po) ==
          Texts{"{_1} is {_2} and {_3} a dog"});
    CHECK(message(po("ruby-format", "%<a>s one %<b>d two"), How::backwards).find("%<b>d") != std::string::npos);
    CHECK(value("50%<b>two</b> three", How::capitals) == "50%<b>TWO</b> THREE");
}

TEST_CASE("JSON: of catalogues that explain their messages, the messages alone are texts") {
    CHECK(texts("{\"hi\": {\"message\": \"one $A$\", \"description\": \"two\", \"placeholders\": {\"a\": {\"content\": "
                "\"$1\", \"example\": \"three\"}}}, \"b\": {\"message\": \"four\"}}",
                Format::json) == Texts{"one {_1}", "four"});
    CHECK(texts("{\"x1\": {\"defaultMessage\": \"one\", \"description\": \"two\", \"start\": 3}}", Format::json) ==
          Texts{"one"});
    CHECK(texts("{\"a\": {\"message\": \"one\", \"title\": \"two\"}}", Format::json) == Texts{"one", "two"});
    CHECK(texts("{\"a\": {\"message\": {\"x\": \"one\"}}}", Format::json) == Texts{"one"});
    CHECK(texts("{\"message\": \"one\", \"description\": \"two\"}", Format::json) == Texts{"one", "two"});
}

TEST_CASE("marks of Markdown and reStructuredText in strings go with their words") {
    const std::string markdown = "Read **the book** and *all* [pages](https://x.y/z), [[name]], [[page|its words]].";
    CHECK(texts(json(markdown), Format::json) == Texts{"Read the book and all pages, {_1}, its words."});
    CHECK(value(markdown, How::capitals) ==
          "READ **THE BOOK** AND *ALL* [PAGES](https://x.y/z), [[name]], [[page|ITS WORDS]].");
    CHECK(value("one **two** three.", How::backwards) == "THREE **TWO** ONE.");
    const std::string rest = "See `the guide <https://x.y>`_, :ref:`one <two>`, :class:`~a.B`, |version| and [1]_.";
    CHECK(texts(po("x", rest), Format::po) == Texts{"See the guide, one, {_1}, {_2} and {_3}."});
    CHECK(message(po("x", rest), How::capitals) ==
          "SEE `THE GUIDE <https://x.y>`_, :ref:`ONE <two>`, :class:`~a.B`, |version| AND [1]_.");
    CHECK(resource("one **two**, [three](https://x.y)", How::backwards).find("**TWO**") != std::string::npos);
    CHECK(texts(json("*one, *two and <%= n %> of them*"), Format::json) == Texts{"one, *two and {_1} of them"});
    CHECK(value("*one", How::capitals) == "*ONE");
    CHECK(texts(po("x", "For example::"), Format::po) == Texts{"For example:"});
    CHECK(message(po("x", "For example::"), How::capitals) == "FOR EXAMPLE::");
    CHECK(value("one <%= n %> two *", How::capitals) == "ONE <%= n %> TWO *");
    CHECK(texts(json("\u201c{a}\u201d is one"), Format::json) == Texts{"{_1} is one"});
    CHECK(message(po("c-format", "\u201c%s\u201d one %d two"), How::capitals) == "\u201c%s\u201d ONE %d TWO");
    const std::string swapped = message(po("c-format", "\u201c%s\u201d one %d two"), How::backwards);
    CHECK(swapped.find("%2$d") < swapped.find("\u201c%1$s\u201d"));
    CHECK(swapped.find("\u201c%1$s\u201d") != std::string::npos);
    for (const char* odd :
         {"5 * 3 * 2 is", "a*b*c", "** one", "* one", "one [a](b c)", "|a b| one", "**a <b>one** two</b>", "`*` and *",
          "one **two", "[one", "[[one", "`a <b>", ":a:`", "``a", "[a](", "*a* b*"})
        CHECK_MESSAGE(value(odd, How::same) == odd, odd);
    CHECK(texts(json("5 * 3 * 2 is 30"), Format::json) == Texts{"5 * 3 * 2 is 30"});
}

TEST_CASE("messages in attributes of inline codes are no messages of the text") {
    CHECK(texts("<xliff version=\"1.2\"><file><trans-unit><source>one <x id=\"ICU\" equiv-text=\"{n, plural, =1 {a} "
                "other {b}}\"/> two</source></trans-unit></file></xliff>",
                Format::xliff) == Texts{"one {_1} two"});
    CHECK(icu_forms("a <x y=\"{n, plural, other {b}}\"/>").empty());
    CHECK(icu_forms("{n, plural, other {a < b}}").size() == 1);
}

}  // namespace strings_test
