// SPDX-License-Identifier: Apache-2.0
// Whole documents: what is written anew has the same tags in the same order, and the same text; in a time that does not
// depend on how deep they nest.
#include <doctest/doctest.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "markup/check_units.h"
#include "text/words.h"

namespace pages_test {

using namespace dragoman;
using namespace dragoman::markup;
using markup::test::letters, markup::test::rewritten, markup::test::tags;

namespace {

std::string repeated(std::string_view part, std::size_t count) {
    std::string result;
    for (std::size_t i = 0; i < count; ++i) result += part;
    return result;
}

void check_rewritten(std::string_view source) {
    const Units units = html_units(source, "en");
    CHECK(splice(source, {}) == source);
    const std::string again = rewritten(source, units, false);
    CHECK(tags(again) == tags(source));
    // A reader of tags alone takes a CDATA section for a comment.
    if (source.find("<![CDATA[") == std::string_view::npos) CHECK(letters(again) == letters(source));
}

// Seconds of processor time: a busy machine takes longer by the clock.
double seconds(auto&& work) {
    const std::clock_t begin = std::clock();
    work();
    return double(std::clock() - begin) / CLOCKS_PER_SEC;
}

text::WordAlignment any_alignment(std::string_view source, std::string_view target, std::mt19937& random) {
    text::WordAlignment result{.source = text::words(source), .target = text::words(target)};
    result.weights.assign(result.source.size() * result.target.size(), 0.0f);
    for (std::size_t w = 0; w < result.target.size(); ++w)
        for (int half = 0; half < 2 && !result.source.empty(); ++half)
            result.weights[w * result.source.size() + random() % result.source.size()] += 0.5f;
    return result;
}

// Translates a document's texts, in sentences of some words, and moves the tags: none is lost and none comes twice.
void translate(std::string_view source, const Units& units, std::mt19937* random) {
    std::vector<Edit> edits;
    for (const Unit& unit : units.units) {
        if (unit.attribute) continue;
        const std::string_view plain = text::part(units.text, unit.plain);
        std::string target;
        std::vector<AlignedSentence> sentences;
        for (std::size_t at = 0; at < plain.size();) {
            const std::size_t end = std::min(plain.find(' ', std::min(at + 60, plain.size())), plain.size());
            const std::size_t begin = target.size();
            target += "neue " + std::string(plain.substr(at, end - at));
            sentences.push_back({{at, end}, {begin, target.size()}, {}});
            if (random)
                sentences.back().words = any_alignment(plain.substr(at, end - at), target.substr(begin), *random);
            for (std::size_t m = 0; random && m < unit.marks.size(); ++m) {
                const Range own = unit.marks[m].plain;
                if (unit.marks[m].kind != Mark::Kind::literal || own.begin < at || own.end > end || (*random)() % 2)
                    continue;
                const std::size_t to = begin + 5 + own.begin - at;
                sentences.back().literals.push_back({own, {to, to + own.size()}});
            }
            if (end < plain.size()) target += ' ';
            at = end + 1;
        }
        edits.push_back(edit(unit, target, project(unit, plain, target, sentences)));
    }
    const std::string result = splice(source, std::move(edits));
    if (!random) return;
    auto before = tags(source), after = tags(result);
    std::ranges::sort(before);
    std::ranges::sort(after);
    CHECK(after == before);
}

void check_time(std::string_view name, const std::string& source) {
    CAPTURE(name);
    const double time = seconds([&] { translate(source, html_units(source, "en"), nullptr); });
    MESSAGE(name << ": " << source.size() / 1e6 << " MB in " << time << " s");
    CHECK(time < 20);  // a sanitizer's; what is quadratic takes hours
}

}  // namespace

TEST_CASE("documents written anew") {
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(DRAGOMAN_TEST_DATA "/../fuzz/corpus/html")) {
        CAPTURE(entry.path());
        std::ifstream file(entry.path(), std::ios::binary);
        check_rewritten(std::string(std::istreambuf_iterator<char>(file), {}));
        ++files;
    }
    CHECK(files > 2);
}

TEST_CASE("random documents written anew") {
    constexpr std::string_view kParts[] = {"<b>",        "</b>",
                                           "<i>",        "</i>",
                                           "<a href=x>", "</a>",
                                           "<p>",        "</p>",
                                           "<div>",      "</div>",
                                           "<br>",       "<img alt=x>",
                                           "word ",      "two",
                                           " three. ",   "&amp;",
                                           "&eacute;",   "<",
                                           " & ",        "\n",
                                           "<!-- c -->", "<code>",
                                           "</code>",    "<span>",
                                           "</span>",    "<li>",
                                           "<ul>",       "</ul>",
                                           "<table>",    "<tr>",
                                           "<td>",       "</table>",
                                           "<select>",   "<option>",
                                           "</select>",  "<button>",
                                           "</button>",  "<em translate=no>",
                                           "</em>",      "<title>",
                                           "</title>",   "<pre>",
                                           "</pre>",     "</>",
                                           "<script>",   "</script>",
                                           "<h1>",       "</h2>",
                                           "<ruby>",     "<rt>",
                                           "</ruby>",    "<object>",
                                           "</object>",  "<p lang=fr>",
                                           "<x-y>",      "\u65e5\u672c"};
    std::mt19937 random(1);
    for (int round = 0; round < 20'000; ++round) {
        std::string source;
        for (std::size_t i = 2 + random() % 24; i > 0; --i) source += kParts[random() % std::size(kParts)];
        CAPTURE(source);
        const Units units = html_units(source, "en");
        const std::string again = rewritten(source, units, false);
        REQUIRE(tags(again) == tags(source));
        REQUIRE(letters(again) == letters(source));
        translate(source, units, &random);
    }
}

TEST_CASE("5 MB of HTML, and of what makes readers slow") {
    constexpr std::size_t kDeep = 100'000;
    check_time("a page",
               repeated("<div class='c'><p>Some <b>bold</b> text &amp; <a href='x' title='A title'>a link"
                        "</a>, <img alt='picture'> and more.</p><ul><li>One<li>Two <code>x</code></ul></div>\n",
                        28'000));
    check_time("one paragraph", "<p>" + repeated("word <b>bold</b> <i>x</i> ", 200'000));
    check_time("deep blocks", repeated("<div>", kDeep) + "x" + repeated("</div>", kDeep));
    check_time("deep formatting", repeated("<b>", kDeep) + "x" + repeated("</b>", kDeep) + "y");
    check_time("deep marks", "y " + repeated("<span>x ", kDeep) + repeated("</span>", kDeep) + "y");
    check_time("deep islands", repeated("x <object>", kDeep) + "x" + repeated("</object>", kDeep));
    check_time("formatting that never ends", repeated("<p><b><i>x ", kDeep));
    check_time("tags crossing", repeated("<b>x<i>", kDeep) + repeated("</b>y</i>", kDeep));
    check_time("tags that close nothing", "x " + repeated("</b></p></div></td>", kDeep) + "x");
    check_time("comments", "x " + repeated("<!--a--> ", 500'000) + "x");
    check_time("pictures", "x " + repeated("<img>", 900'000) + "x");
    check_time("attributes", "<p " + repeated("a=b title=c ", 400'000) + ">x");
    check_time("open comments", repeated("<!-- ", 900'000));
    check_time("open brackets", repeated("<", 5'000'000));
    check_time("dashes", "<!--" + repeated("-", 5'000'000));
    check_time("references", repeated("&am", 1'600'000) + "p");
    check_time("titles", repeated("<title></titl", 380'000));
    check_time("scripts", repeated("<script><!--<script>", 250'000));
    check_time("tables", repeated("<table><tr><td>x", kDeep));
    check_time("selects", repeated("<select><option>x", kDeep));
    check_time("SVG", repeated("<svg><p>x", kDeep) + repeated("<svg><title>x", kDeep));
    check_time("one word", "<p>" + repeated("a", 2'500'000) + "<b>" + repeated("a", 2'500'000));
}

}  // namespace pages_test
