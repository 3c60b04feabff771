// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "support/run_program.h"
#include "recorded.h"

namespace subtitles_test {

using namespace dragoman::test;

namespace {

const std::string kProgram = DRAGOMAN_SAMPLES "/subtitles";

Run translate(const std::string& file, std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--model", kToyModel, "--beam", "4", "-"});
    return run(kProgram, more, file);
}

std::string translated(const std::string& file) {
    const Run run = translate(file);
    CHECK(run.exit_code == 0);
    CHECK(run.err.empty());
    return run.out;
}

std::string with_cr(std::string text) {
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, "\r");
    return text;
}

}  // namespace

// The sentences of these two files and what they become are in the model's expected.json.
TEST_CASE("the toy sentences are the recorded ones") {
    const auto sentences = recorded_sentences(kToyModel);
    const auto has = [&](const std::string& text, const std::string& translation) {
        return std::ranges::any_of(sentences,
                                   [&](const Sentence& s) { return s.text == text && s.translation == translation; });
    };
    CHECK(has("loson lonaß?", "Gaлаx vöpisa?"));
    CHECK(has("lonan losora!", "vösa vökuй!"));
    CHECK(has("banaß banara!", "foлаx foй!"));
    CHECK(has("lora késoß!", "fokux fokuй!"));
    CHECK(has("basoß késon kénara lonaß késoß!", "Gaлаsa fopix vökux vöpisa fokuй!"));
}

TEST_CASE("a SubRip file keeps all but its words") {
    const std::string file =
        "1\n"
        "00:00:01,000 --> 00:00:02,500\n"
        "<i>loson lonaß?</i>\n"
        "\n"
        "2\n"
        "00:00:03,000 --> 00:00:04,000  X1:40 X2:600 Y1:20 Y2:50\n"
        "{\\an8}- lonan losora!\n"
        "- banaß banara!\n"
        "\n"
        "\n"
        "7\n"
        "00:00:05,000 --> 00:00:06,000\n"
        "basoß\n"
        "késon kénara\n"
        "\n"
        "8\n"
        "00:00:06,100 --> 00:00:08,000\n"
        "lonaß késoß!\n"
        "\n"
        "9\n"
        "100:00:08,000 --> 100:00:09,000\n"
        "♪ ♪\n"
        "\n"
        "10\n"
        "100:00:09,000 --> 100:00:10,000\n"
        "♪ <font color=\"#ff0000\">lora késoß!</font> ♪\n";
    const std::string expected =
        "1\n"
        "00:00:01,000 --> 00:00:02,500\n"
        "<i>Gaлаx vöpisa?</i>\n"
        "\n"
        "2\n"
        "00:00:03,000 --> 00:00:04,000  X1:40 X2:600 Y1:20 Y2:50\n"
        "{\\an8}- vösa vökuй!\n"
        "- foлаx foй!\n"
        "\n"
        "\n"
        "7\n"
        "00:00:05,000 --> 00:00:06,000\n"
        "Gaлаsa fopix vökux\n"
        "\n"
        "8\n"
        "00:00:06,100 --> 00:00:08,000\n"
        "vöpisa fokuй!\n"
        "\n"
        "9\n"
        "100:00:08,000 --> 100:00:09,000\n"
        "♪ ♪\n"
        "\n"
        "10\n"
        "100:00:09,000 --> 100:00:10,000\n"
        "♪ <font color=\"#ff0000\">fokux fokuй!</font> ♪\n";
    CHECK(translated(file) == expected);
    CHECK(translated("\xEF\xBB\xBF" + with_cr(file)) == "\xEF\xBB\xBF" + with_cr(expected));
    CHECK(translated(file.substr(0, file.size() - 1)) == expected.substr(0, expected.size() - 1));
}

TEST_CASE("lines of a dialogue without words stay where they are") {
    const std::string time = "1\n00:00:01,000 --> 00:00:02,000\n";
    CHECK(translated(time + "- loson lonaß?\n- ...\n") == time + "- Gaлаx vöpisa?\n- ...\n");
    CHECK(translated(time + "<i>- ?!</i>\n- lonan losora!\n- ♪\n") == time + "<i>- ?!</i>\n- vösa vökuй!\n- ♪\n");
}

TEST_CASE("a WebVTT file keeps all but its words") {
    const std::string file =
        "WEBVTT - some title\n"
        "Kind: captions\n"
        "\n"
        "STYLE\n"
        "::cue(.yellow) { color: yellow }\n"
        "\n"
        "NOTE lonan losora!\n"
        "lonan losora!\n"
        "\n"
        "first\n"
        "00:01.000 --> 00:02.000 align:start position:10%\n"
        "<v Anna>loson lonaß?\n"
        "\n"
        "00:00:03.000 --> 00:00:04.000\n"
        "<c.yellow>lonan</c> losora!\n"
        "\n"
        "00:05.000 --> 00:05.000\n"
        "\n"
        "00:06.000 --> 00:07.000\n"
        "banaß banara!\n";
    const std::string expected =
        "WEBVTT - some title\n"
        "Kind: captions\n"
        "\n"
        "STYLE\n"
        "::cue(.yellow) { color: yellow }\n"
        "\n"
        "NOTE lonan losora!\n"
        "lonan losora!\n"
        "\n"
        "first\n"
        "00:01.000 --> 00:02.000 align:start position:10%\n"
        "<v Anna>Gaлаx vöpisa?\n"
        "\n"
        "00:00:03.000 --> 00:00:04.000\n"
        "vösa <c.yellow>vökuй</c>!\n"  // where the model's alignment says
        "\n"
        "00:05.000 --> 00:05.000\n"
        "\n"
        "00:06.000 --> 00:07.000\n"
        "foлаx foй!\n";
    CHECK(translated(file) == expected);
    CHECK(translated("\xEF\xBB\xBF" + with_cr(file)) == "\xEF\xBB\xBF" + with_cr(expected));
    CHECK(translated("WEBVTT\n") == "WEBVTT\n");
    CHECK(translated("") == "");
}

TEST_CASE("a sentence does not reach over a pause or into a dialogue") {
    const std::string first = "1\n00:00:01,000 --> 00:00:02,000\nbasoß késon kénara\n\n2\n";
    const auto cue = [&](const std::string& time, const std::string& text) {
        const std::string out = translated(first + time + "\n" + text + "\n");
        return out.substr(out.find(time) + time.size() + 1);
    };
    CHECK(cue("00:00:03,999 --> 00:00:05,000", "lonaß késoß!") == "vöpisa fokuй!\n");
    CHECK(cue("00:00:04,001 --> 00:00:05,000", "lora késoß!") == "fokux fokuй!\n");
    CHECK(cue("00:00:02,001 --> 00:00:05,000", "- lora késoß!\n- lonan losora!") == "- fokux fokuй!\n- vösa vökuй!\n");
}

TEST_CASE("what is broken is said") {
    const Run bad = translate("1\nx\n");
    CHECK(bad.exit_code == 1);
    CHECK(bad.out.empty());
    CHECK(bad.err == "subtitles: standard input: line 2: expected a timing line, got 'x'\n");
    CHECK(run(kProgram, {"--help"}).exit_code == 0);
    CHECK(run(kProgram, {}).exit_code == 2);
    CHECK(run(kProgram, {"--beam", "soon", "-"}).exit_code == 2);
    CHECK(run(kProgram, {"/no/such.srt"}).err.find("/no/such.srt: ") != std::string::npos);
}

}  // namespace subtitles_test
