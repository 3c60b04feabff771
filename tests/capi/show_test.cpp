// SPDX-License-Identifier: Apache-2.0
// The page that `dragoman translate --show` writes.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <regex>

#include "support/run_program.h"
#include "text_model.h"

namespace show_test {

using namespace dragoman::test;

namespace {

struct Page {
    Run run;
    std::string html;
    // Without the template's own parts.
    std::string main() const {
        const std::size_t begin = html.find("<main>"), end = html.find("</main>");
        REQUIRE(begin != std::string::npos);
        REQUIRE(end != std::string::npos);
        return html.substr(begin, end - begin);
    }
};

Page show(const std::string& model, std::vector<std::string> arguments, const std::string& input = "") {
    const TempDir folder;
    const std::string path = folder.path() / "page.html";
    std::vector<std::string> all = {"translate", "--model", model, "--show", path};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Run done = run(DRAGOMAN_CLI, all, input);
    CAPTURE(done.err);
    REQUIRE(done.exit_code == 0);
    return {done, read_file(path)};
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
    return found;
}

// Words of one side, with the first capture of `attribute` of each.
std::vector<std::pair<std::string, std::string>> words(const std::string& html, const std::string& side,
                                                       const std::string& attribute) {
    const std::size_t begin = html.find("class=\"side " + side), end = html.find("</p>", begin);
    REQUIRE(begin != std::string::npos);
    const std::string line = html.substr(begin, end - begin);
    const std::regex word("<span class=\"w([^>]*)>([^<]*)</span>"), wanted(attribute);
    std::vector<std::pair<std::string, std::string>> found;
    for (std::sregex_iterator at(line.begin(), line.end(), word), last; at != last; ++at) {
        std::smatch value;
        const std::string attributes = (*at)[1];
        found.emplace_back((*at)[2], std::regex_search(attributes, value, wanted) ? value[1].str() : "");
    }
    return found;
}

const std::string kShipped = DRAGOMAN_SOURCE "/models/en-de";

}  // namespace

TEST_CASE("words of a page are linked as the alignment says") {
    const Page page = show(kShipped, {"--from", "en", "--to", "de", "My brother wants to buy a new car."});
    CHECK(page.run.out == "Mein Bruder will ein neues Auto kaufen.\n");
    const std::string main = page.main();
    CAPTURE(main);
    const auto source = words(main, "source", "()");
    REQUIRE(source.size() == 9);
    CHECK(source[4].first == "buy");
    std::map<std::string, std::string> best;  // of each word of the translation
    for (const auto& [word, links] : words(main, "target", "data-a=\"([^\"]*)\"")) {
        float most = 0, sum = 0;
        std::istringstream in(links);
        std::size_t place = 0;
        char colon = 0;
        float weight = 0;
        while (in >> place >> colon >> weight) {
            REQUIRE(place < source.size());
            sum += weight;
            if (weight > most) best[word] = source[place].first, most = weight;
        }
        CHECK_MESSAGE((sum > 0.7f && sum < 1.03f), word);
    }
    CHECK(best["Bruder"] == "brother");
    CHECK(best["Auto"] == "car");
    CHECK(best["kaufen"] == "buy");
    for (const auto& [word, quality] : words(main, "target", "data-q=\"([0-9.]+)\"")) {
        CAPTURE(word);
        REQUIRE(!quality.empty());
        CHECK(std::stof(quality) > 0);
        CHECK(std::stof(quality) <= 1);
    }
    // "to" has no word of its own in German; marks need none.
    for (const auto& [word, missing] : words(main, "source", "missing(\")"))
        CHECK_MESSAGE(missing.empty() == (word != "to"), word);
    CHECK(main.find("lang=\"en\"") != std::string::npos);
    CHECK(main.find("lang=\"de\"") != std::string::npos);
    CHECK(main.find("<details>") != std::string::npos);  // the model's beam has room for alternatives
    CHECK(page.html.find("<title>Translation from English to German</title>") != std::string::npos);
}

TEST_CASE("a page is one file, and nothing of a text is markup in it") {
    const TextModel model;
    const std::string evil = "<script>alert(1)</script> \"a\" & 'b' {{title}} </main>";
    const Page page = show(model.path, {evil, "\xd8\xa2 \xd8\xb2 \xd8\xa7"});
    const std::string main = page.main();
    CAPTURE(main);
    CHECK(count(page.html, "<script") == 1);
    CHECK(count(page.html, "</main>") == 1);
    CHECK(main.find("{{title}}") == std::string::npos);  // its words are elements
    CHECK(main.find("&lt;") != std::string::npos);
    CHECK(main.find("&amp;") != std::string::npos);
    CHECK(count(main, "<section") == 2);
    CHECK(count(main, "dir=\"auto\"") >= 4);
    for (const char* outside : {"http:", "https:", "src=", "href=", "url(", "@import"})
        CHECK_MESSAGE(page.html.find(outside) == std::string::npos, outside);
    for (const char* place : {"{{title}}", "{{summary}}", "{{texts}}", "{{generator}}"})
        CHECK_MESSAGE(page.html.find(place) == std::string::npos, place);
    CHECK(page.html.find("default-src 'none'") != std::string::npos);
}

TEST_CASE("alternatives are those of the beam") {
    const TextModel model;
    const std::string text = "\xd8\xa2\xd8\xaa\xd8\xb2\xd9\x85\xd9\x88\xd9\x86";
    const std::string wide = show(model.path, {"--beam", "4", "--n-best", "3", text}).main();
    CAPTURE(wide);
    CHECK(wide.find("<summary>2 alternatives</summary>") != std::string::npos);
    CHECK(count(wide, "<li>") == 2);
    CHECK(show(model.path, {"--beam", "1", text}).main().find("<details>") == std::string::npos);
    CHECK(count(show(model.path, {"--beam", "4", text}).main(), "<li>") == 3);
}

TEST_CASE("lines, documents of markup, and nothing") {
    const TextModel model;
    const Page lines = show(model.path, {}, "\xd8\xa2\n\n\xd8\xb2\n");
    CHECK(count(lines.run.out, "\n") == 3);
    CHECK(count(lines.main(), "<section") == 2);
    CHECK(lines.html.find("3 texts, 2 sentences") != std::string::npos);
    const std::string markup = show(model.path, {"--html"}, "<p>\xd8\xa2 <b>\xd8\xb2</b></p>").main();
    CHECK(markup.find("&lt;b") == std::string::npos);
    CHECK(count(markup, "class=\"pair\"") == 1);
    CHECK(show(model.path, {}, "").main().find("No text had a sentence") != std::string::npos);
}

TEST_CASE("what --show cannot do is refused") {
    const TextModel model;
    const TempDir folder;
    const std::string page = folder.path() / "page.html", lines = folder.write("lines.txt", "a\n");
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{"--tokens", "a"}, {"--json", "a"}, {"--output", folder.path() / "out.txt", "a"}}) {
        std::vector<std::string> all = {"translate", "--model", model.path, "--show", page};
        all.insert(all.end(), more.begin(), more.end());
        const Run refused = run(DRAGOMAN_CLI, all);
        CHECK(refused.exit_code == 2);
        CHECK(refused.err.find("--show") != std::string::npos);
    }
    const Run prefix = run(DRAGOMAN_CLI, {"translate", "--model", model.path, "--show", page, "--prefix", "a", "a"});
    CHECK(prefix.exit_code == 1);
    CHECK(prefix.err.find("--prefix") != std::string::npos);
    const Run same = run(DRAGOMAN_CLI, {"translate", "--model", model.path, "--show", lines, "--input", lines});
    CHECK(same.exit_code == 1);
    CHECK(read_file(lines) == "a\n");
    const Run nowhere = run(DRAGOMAN_CLI,
                            {"translate", "--model", model.path, "--show", folder.path() / "no/page.html", "a"});
    CHECK(nowhere.exit_code == 1);
    CHECK(nowhere.err.find("page.html") != std::string::npos);
    CHECK(!std::filesystem::exists(page));
}

}  // namespace show_test
