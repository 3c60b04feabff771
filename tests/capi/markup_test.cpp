// SPDX-License-Identifier: Apache-2.0
// Markup through dragoman.h, dragoman.hpp and `dragoman translate --html`.
#include <doctest/doctest.h>

#include <dragoman/dragoman.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "fixture.h"
#include "support/run_program.h"
#include "support/temp_dir.h"

namespace markup_test {

using namespace dragoman::test;

namespace {

const std::string kPage =
    "<!DOCTYPE html>\n<p class='a'>Where is the <b>station</b>?</p>\n<ul>\n <li>I have a dog.\n <li>"
    "<code>ls -l</code></ul>\n";

Run tool(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.begin(), {"translate", "--to", "de"});
    return run(DRAGOMAN_CLI, arguments, input, "");
}

// The text with its tags only.
std::string tags(const std::string& page) {
    std::string result;
    bool inside = false;
    for (const char c : page) {
        if (c == '<') inside = true;
        if (inside) result += c;
        if (c == '>') inside = false;
    }
    return result;
}

}  // namespace

TEST_CASE("a page keeps its tags, and its text is translated") {
    const Run page = tool({"--html"}, kPage);
    CAPTURE(page.err);
    REQUIRE(page.exit_code == 0);
    CAPTURE(page.out);
    CHECK(tags(page.out) == tags(kPage));
    CHECK(page.out.find("<b>Bahnhof</b>") != std::string::npos);
    CHECK(page.out.find("<code>ls -l</code></ul>\n") != std::string::npos);
    CHECK(page.out.ends_with("</ul>\n"));  // no line end is added
    const TempDir folder;
    const std::string input = folder.write("page.html", kPage).string(),
                      output = (folder.path() / "seite.html").string();
    CHECK(tool({"--html", "-i", input, "-o", output}).exit_code == 0);
    CHECK(read_file(output) == page.out);
    CHECK(tool({"--html"}, "").out.empty());
    CHECK(tool({"--html", "--xml"}, kPage).exit_code == 2);
}

TEST_CASE("XML that is not well-formed is an error that names the byte") {
    const Run good = tool({"--xml"}, "<r><p>I have a dog.</p></r>");
    CHECK(good.exit_code == 0);
    CHECK(good.out.find("Hund") != std::string::npos);
    const Run bad = tool({"--xml"}, "<r><p>I have a dog.</r>");
    CHECK(bad.exit_code == 1);
    CHECK(bad.err.find("byte 21") != std::string::npos);
    CHECK(bad.out.empty());
}

TEST_CASE("ranges are places in the texts without tags") {
    const dragoman::Model model;
    dragoman::Translator translator(model);
    dragoman::TranslateOptions options;
    options.target_language = "de";
    options.markup = DRAGOMAN_MARKUP_HTML;
    const std::string_view page[] = {kPage}, sentence[] = {"I have a dog."};
    const dragoman::Result result = translator.translate(page, options);
    CHECK(result.plain_source(0).find("Where is the station?") != std::string_view::npos);
    CHECK(result.plain_source(0).find('<') == std::string_view::npos);
    CHECK(result.plain_text(0).find('<') == std::string_view::npos);
    REQUIRE(result.sentences(0) == 2);
    const dragoman_sentence second = result.sentence(0, 0, 1);
    CHECK(result.plain_source(0).substr(second.source_begin, second.source_end - second.source_begin) ==
          "I have a dog.");
    const auto target = result.plain_text(0).substr(second.target_begin, second.target_end - second.target_begin);
    CHECK(result.text(0).find(target) != std::string_view::npos);

    options.markup = DRAGOMAN_MARKUP_NONE;
    const dragoman::Result plain = translator.translate(sentence, options);
    CHECK(plain.plain_source(0).empty());
    CHECK(plain.plain_text(0).empty());
    CHECK(plain.text(0) == target);
    options.markup = 3;
    CHECK_THROWS_WITH(translator.translate("x", options), doctest::Contains("options.markup"));
}

}  // namespace markup_test
