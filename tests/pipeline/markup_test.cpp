// SPDX-License-Identifier: Apache-2.0
// HTML and XML through the shipped model.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "base/error.h"
#include "base/log.h"
#include "markup/check_units.h"
#include "pipeline/compare.h"

namespace markup_test {

using namespace dragoman;
using pipeline::Markup;
using pipeline::TextOptions;
using pipeline::TextResult;
using pipeline::TranslateOptions;
using pipeline::Translator;

namespace {

Translator& shipped() {
    static const auto translator =
        Translator::create(pipeline::Model::load(DRAGOMAN_SHIPPED_MODEL,
                                                 {.device = {}, .compute_type = pipeline::ComputeType::f32}));
    return *translator;
}

TextResult translate(std::string_view text, const TextOptions& how, const TranslateOptions& options = {}) {
    const pipeline::Text input{text, {}};
    return shipped().translate_texts({&input, 1}, how, options).at(0);
}

std::string plain(std::string_view text) { return translate(text, {.target_language = "de"}).hypotheses.at(0).text; }

std::string html(std::string_view text) {
    return translate(text, {.source_language = "en", .target_language = "de", .markup = Markup::html})
        .hypotheses.at(0)
        .text;
}

}  // namespace

TEST_CASE("tags stand around the words they stood around") {
    CHECK(html("<p>This is <b>bold</b> text.</p>") == "<p>Das ist <b>kühne</b> Text.</p>");
    CHECK(html("<p class=a>Hello, world!</p>\n<p>The house is big.</p>") ==
          "<p class=a>" + plain("Hello, world!") + "</p>\n<p>" + plain("The house is big.") + "</p>");
    CHECK(html("<ul><li><a href='x'>The house is big.</a></ul>") ==
          "<ul><li><a href='x'>" + plain("The house is big.") + "</a></ul>");
    CHECK(html("<img alt='The house is big.'>") == "<img alt='" + plain("The house is big.") + "'>");
    CHECK(html("<img alt=House>") == "<img alt=\"" + plain("House") + "\">");
}

TEST_CASE("what is no text comes back byte for byte") {
    const std::string_view kept =
        "<!doctype html><title></title><script>if (a < b) c('<p>');</script><pre> The house </pre><!-- The house -->"
        "<p translate=no>The <b>house</p> \t\n<p>1 &lt; 2</p> &nbsp; <code>x</code><input value='The house'>"
        "<p lang=fr>La maison</p></div></p";
    CHECK(html(kept) == kept);
    CHECK(html("") == "");
    CHECK(html("<p>") == "<p>");
    const std::string_view broken =
        "<p>The <b>house <i>is</b> big</i>. </p></div><a href=\"x\">My car<p>is <code>red</code>";
    const std::string translated = html(broken);
    auto before = markup::test::tags(broken), after = markup::test::tags(translated);
    std::ranges::sort(before);
    std::ranges::sort(after);
    CHECK(before == after);
    CHECK(translated != broken);
}

TEST_CASE("a page says its new language, unless nothing in it was translated") {
    CHECK(html("<html lang=\"en\" dir=ltr><p lang=en-US>Hello, world!</p><p lang=fr>La maison</p>") ==
          "<html lang=\"de\" dir=ltr><p lang=de>" + plain("Hello, world!") + "</p><p lang=fr>La maison</p>");
    CHECK(html("<html><p>The house is <i lang=en>big</i>.</p>").starts_with("<html lang=\"de\"><p>"));
    CHECK(html("<p>The house is <i lang=en>big</i>.</p>").find("<i lang=de>") != std::string::npos);
    for (const std::string_view same : {"<html lang=en><p>12</p>", "<html lang=en><p translate=no>The house</p>"})
        CHECK(html(same) == same);
}

TEST_CASE("short code stays in its sentence") {
    const std::string copied = html("<p>Press <kbd>Ctrl</kbd> to copy the <b>file</b>.</p>");
    CHECK_MESSAGE(text::part(copied, {0, 3}) == "<p>", copied);
    for (const std::string_view once : {"<kbd>Ctrl</kbd>", "<b>", "</b>", "Ctrl"})
        CHECK_MESSAGE((copied.find(once) != copied.npos && copied.find(once) == copied.rfind(once)), copied);
    CHECK(copied.find("<kbd>Ctrl</kbd>") < copied.find("<b>"));
    const std::string name = html("<p>I live in <span translate=no>The  House</span> &amp; <code>a &lt; b</code>.</p>");
    CHECK_MESSAGE(name.find("<span translate=no>The  House</span>") != std::string::npos, name);
    CHECK_MESSAGE(name.find("<code>a &lt; b</code>") != std::string::npos, name);
    const std::string_view source = "<p>Use <code>ls</code> and <code>cat</code> to see the files.</p>";
    const TextResult result = translate(source,
                                        {.source_language = "en", .target_language = "de", .markup = Markup::html},
                                        {.num_hypotheses = 2});
    CHECK(result.plain_source == "Use ls and cat to see the files.\n\n");
    for (const auto& hypothesis : result.hypotheses) {
        for (const std::string_view once : {"<code>ls</code>", "<code>cat</code>"})
            CHECK_MESSAGE(hypothesis.text.find(once) != std::string::npos, hypothesis.text);
        CHECK(hypothesis.text.size() == hypothesis.plain.size() - 2 + std::string_view("<p></p>").size() + 26);
    }
    CHECK(html("<p><code>ls</code>, <kbd>cat</kbd></p>") == "<p><code>ls</code>, <kbd>cat</kbd></p>");
    const TextOptions as_is{.source_language = "en", .target_language = "de", .markup = Markup::html, .raw = true};
    const TextResult raw = translate("<p>Press <kbd>Ctrl</kbd> to copy.</p>", as_is);
    CHECK(raw.plain_source == "Press to copy.\n\n");
    CHECK(raw.hypotheses.at(0).text.find("<kbd>Ctrl</kbd>") != std::string::npos);
}

TEST_CASE("ranges and alignments are those of the texts without tags") {
    const std::string_view source = "<p>I saw <b>the dog</b>.<p title='A house'>It was big. It ran &amp; ran.";
    const TextResult result = translate(source,
                                        {.target_language = "de", .markup = Markup::html, .return_alignment = true},
                                        {.num_hypotheses = 2});
    CHECK(result.plain_source == "I saw the dog.\n\nA house\n\nIt was big. It ran & ran.\n\n");
    REQUIRE(result.sentences.size() == 4);
    CHECK(text::part(result.plain_source, result.sentences[3].range) == "It ran & ran.");
    REQUIRE(result.hypotheses.size() == 2);
    for (const auto& hypothesis : result.hypotheses) {
        REQUIRE(hypothesis.sentences.size() == 4);
        auto before = markup::test::tags(source), after = markup::test::tags(hypothesis.text);
        CHECK(after.size() == before.size());
        for (std::size_t s = 0; s < 4; ++s) {
            const auto& sentence = hypothesis.sentences[s];
            CHECK(sentence.range().end <= hypothesis.plain.size());
            CHECK(sentence.alignment.weights.size() > 0);
            CHECK(hypothesis.packed_at(s).size() > 0);
            CHECK(hypothesis.ranges(s).size() == hypothesis.packed_at(s).size());
            CHECK(sentence.attention.empty());
        }
    }
    CHECK(result.hypotheses[0].plain == plain(result.plain_source));
    const TextResult bare = translate(source,
                                      {.target_language = "de", .return_tokens = false, .markup = Markup::html});
    CHECK(bare.hypotheses.at(0).text == result.hypotheses[0].text);
    for (const auto& sentence : bare.hypotheses[0].sentences) CHECK(sentence.alignment.weights.empty());
    CHECK(bare.hypotheses[0].packed_at(0).empty());
}

TEST_CASE("XML, and its errors") {
    const TextOptions xml{.target_language = "de", .markup = Markup::xml};
    CHECK(translate("<?xml version='1.0'?><d><p>The house is big.</p><x a='The house'/></d>", xml).hypotheses[0].text ==
          "<?xml version='1.0'?><d><p>" + plain("The house is big.") + "</p><x a='The house'/></d>");
    CHECK_THROWS_WITH_AS(translate("<d><p>x</d>", xml), "text 0: XML: mismatched tag at byte 9", Error);
    CHECK_THROWS_WITH_AS(translate("<p>\xff", {.markup = Markup::html}), "text 0: invalid UTF-8 at byte 3", Error);
    CHECK_THROWS_WITH_AS(translate("<meta charset=windows-1252><p>caf\xe9", {.markup = Markup::html}),
                         "text 0: expected UTF-8, the document says windows-1252 and has invalid UTF-8 at byte 33; "
                         "convert it to UTF-8",
                         Error);
}

TEST_CASE("a document in UTF-8 that says something else is translated, and the log says so") {
    std::vector<std::string> lines;
    const uint64_t sink = add_log_sink([&](LogLevel, std::string_view line) { lines.emplace_back(line); },
                                       LogLevel::warning);
    CHECK(html("<meta charset=latin1><p>The house is big.") == "<meta charset=latin1><p>" + plain("The house is big."));
    CHECK(html("<meta charset=utf-8><p>1") == "<meta charset=utf-8><p>1");
    remove_log_sink(sink);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].starts_with("text 0: the document says latin1, its bytes are read and written as UTF-8"));
}

TEST_CASE("units are not split, and not joined") {
    const std::string_view source = "<p>The house is big. It is red.<p>I have a car.";
    const TextResult result = translate(source,
                                        {.split_sentences = false, .target_language = "de", .markup = Markup::html});
    REQUIRE(result.sentences.size() == 2);
    CHECK(text::part(result.plain_source, result.sentences[0].range) == "The house is big. It is red.");
    const TextResult joined = translate(source, {.join_lines = true, .target_language = "de", .markup = Markup::html});
    CHECK(joined.sentences.size() == 3);
}

TEST_CASE("a job of HTML, whose sentences are told without tags") {
    pipeline::JobInput input;
    input.documents = {{.text = "<p>The <b>house</b> is big."}, {.text = "x"}, {.text = "<b>I have a car.</b>"}};
    input.text = {.target_language = "de", .markup = Markup::html};
    std::vector<std::string> sentences;
    pipeline::JobOptions options;
    options.on_event = [&](const pipeline::JobEvent& event) {
        if (event.kind == pipeline::JobEvent::Kind::sentence) sentences.emplace_back(event.text);
    };
    const auto job = shipped().submit(std::move(input), std::move(options));
    const auto results = job->take().texts;
    REQUIRE(results.size() == 3);
    CHECK(results[0].hypotheses.at(0).text == html("<p>The <b>house</b> is big."));
    CHECK(results[2].hypotheses.at(0).text == "<b>" + plain("I have a car.") + "</b>");
    CHECK(std::ranges::count(sentences, plain("The house is big.")) == 1);
}

}  // namespace markup_test
