// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "capi/process.h"
#include "recorded.h"
#include "subtitles/document.h"
#include "subtitles/layout.h"
#include "subtitles/markup.h"

using namespace dragoman::test;
using Lines = std::vector<std::string>;

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

// The message for a file that is broken.
std::string message(const std::string& file) {
    try {
        read_subtitles(file, "x.srt");
    } catch (const BadSubtitles& error) {
        return error.what();
    }
    return "";
}

std::string with_cr(std::string text) {
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, "\r");
    return text;
}

std::string with_markup(const std::string& line, const std::string& translation, Format format = Format::srt) {
    return put_markup(take_markup(line, format), translation, format);
}

}  // namespace

// The sentences of these two files and what they become are in the model's expected.json.
TEST_CASE("the toy sentences are the recorded ones") {
    const auto sentences = recorded_sentences(kToyModel);
    const auto has = [&](const std::string& text, const std::string& translation) {
        return std::ranges::any_of(
            sentences, [&](const Sentence& s) { return s.text == text && s.translation == translation; });
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
        "<c.yellow>vösa</c> vökuй!\n"
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

TEST_CASE("what is broken is named with its line") {
    CHECK(message("1\n00:00:01,000 --> 00:00:02,000\nx\n") == "");
    CHECK(message("1\n00:00:01,000 -> 00:00:02,000\nx\n") ==
          "x.srt:2: expected a timing line, got '00:00:01,000 -> 00:00:02,000'");
    CHECK(message("1\n00:00:01,000 --> 00:00:02\nx\n") == "x.srt:2: expected a time of the form hh:mm:ss,mmm, got '00:00:02'");
    for (const char* time : {"00:60:00,000", "00:00:60,000", "00:00,000", "0a:00:00,000", "", "00:00:01,00",
                             "00:00:2,500", ":00:01,000", "00:00:00:01,000", "-1:00:01,000",
                             "99999999999999999999:00:01,000"}) {
        CAPTURE(time);
        CHECK(message("1\n" + std::string(time) + " --> 99:00:02,000\nx\n").starts_with("x.srt:2: expected a time"));
    }
    CHECK(message("\n\n1\r\n00:00:03,000 --> 00:00:02,000\r\nx\r\n") ==
          "x.srt:4: the cue ends at 00:00:02,000, before it begins at 00:00:03,000");
    CHECK(message("x\n") == "x.srt:1: expected the index of a cue, got 'x'");
    CHECK(message("1") == "x.srt:2: expected a timing line, got the end of the file");
    CHECK(message("1\n00:00:01,000 --> 00:00:02,000\nx\n2\n00:00:03,000 --> 00:00:04,000\ny\n") ==
          "x.srt:5: a timing line inside a cue: a blank line is missing");
    CHECK(message("1\n00:00:01,000 --> 00:00:02,000\nx\xff\n") == "x.srt:3: invalid UTF-8: save the file as UTF-8 first");
    CHECK(message("WEBVTT\n\n00:01,000 --> 00:02.000\nx\n") ==
          "x.srt:3: expected a time of the form hh:mm:ss.mmm or mm:ss.mmm, got '00:01,000'");
    CHECK(message("WEBVTT\n\nname\nx\n") == "x.srt:4: expected a timing line, got 'x'");

    const Run bad = translate("1\nx\n");
    CHECK(bad.exit_code == 1);
    CHECK(bad.out.empty());
    CHECK(bad.err == "subtitles: standard input:2: expected a timing line, got 'x'\n");
    CHECK(run(kProgram, {"--help"}).exit_code == 0);
    CHECK(run(kProgram, {}).exit_code == 2);
    CHECK(run(kProgram, {"--gap", "soon", "-"}).exit_code == 2);
    CHECK(run(kProgram, {"/no/such.srt"}).err.find("/no/such.srt: ") != std::string::npos);
}

TEST_CASE("reading and writing changes nothing") {
    for (const std::string file : {"", "\n", "\n\n1\n00:00:01,000 --> 00:00:02,000\nx\ny\n\n\n2\n00:00:02,000 --> 00:00:02,000",
                                   "WEBVTT\n\nNOTE x", "\xEF\xBB\xBFWEBVTT\tx\n\n1:00:01.000 --> 1:00:02.000\nx"}) {
        CAPTURE(file);
        CHECK(write_subtitles(read_subtitles(file, "x")) == file);
        CHECK(write_subtitles(read_subtitles(with_cr(file), "x")) == with_cr(file));
    }
    const Document document = read_subtitles("1\n01:02:03,004 --> 01:02:04,050\nx\n", "x");
    REQUIRE(document.cues.size() == 1);
    CHECK(document.cues[0].begin_ms == 3723004);
    CHECK(document.cues[0].end_ms == 3724050);
}

TEST_CASE("tags follow their words") {
    CHECK(with_markup("<i>one two</i>", "eins zwei") == "<i>eins zwei</i>");
    CHECK(with_markup("{\\an8}<i>one</i>", "eins") == "{\\an8}<i>eins</i>");
    CHECK(with_markup("one <b>two</b> three", "eins zwei drei") == "eins <b>zwei</b> drei");
    CHECK(with_markup("one <b>two</b> three", "zusammen") == "<b>zusammen</b>");
    CHECK(with_markup("a <i>b</i> <b>c</b>", "x y z") == "x <i>y</i> <b>z</b>");
    CHECK(with_markup("<i><b>one</b></i>", "eins zwei drei") == "<i><b>eins zwei drei</b></i>");
    CHECK(with_markup("– <i>one</i>", "eins") == "– <i>eins</i>");
    CHECK(with_markup("<i>– one</i>", "eins") == "<i>– eins</i>");
    CHECK(with_markup("<i>♪</i> one <b>♪ </b>", "eins") == "<i>♪</i> eins <b>♪ </b>");
    CHECK(with_markup("<i>♪ </i>", "") == "<i>♪ </i>");
    CHECK(with_markup("<i></i>", "") == "<i></i>");
    CHECK(with_markup("<00:01.000>one <00:02.000>two", "eins zwei", Format::vtt) == "<00:01.000>eins <00:02.000>zwei");
    CHECK(with_markup("♪ one ♪", "eins") == "♪ eins ♪");
    CHECK(with_markup("1 < 2 <u>three</u>", "1 < 2 <u") == "1 < <u>2 <u</u>");
    CHECK(with_markup("a &amp; b &lt;", "x & y <", Format::vtt) == "x &amp; y &lt;");
    CHECK(take_markup("a &amp; b &nbsp;c", Format::vtt).text == "a & b \xC2\xA0" "c");
    CHECK(take_markup("a &amp; b", Format::srt).text == "a &amp; b");
    CHECK(take_markup("I thought—", Format::srt).text == "I thought—");
    CHECK_FALSE(has_words("... ?!"));
    CHECK_FALSE(has_words(take_markup("♪ – ♫", Format::srt).text));
    CHECK(has_words("é"));
    CHECK(has_words("漢"));
}

TEST_CASE("lines of 42 characters, two where that is enough") {
    const std::string twenty = "abcde fghij klmno pqr";  // 21 with a space after it
    CHECK(wrap("short") == Lines{"short"});
    CHECK(wrap("") == Lines{""});
    const std::string whole = twenty + " " + twenty;
    CHECK(wrap(whole.substr(0, 42)) == Lines{whole.substr(0, 42)});
    CHECK(wrap(whole) == Lines{twenty, twenty});
    CHECK(wrap("One two three four, " + whole) == Lines{"One two three four, abcde fghij", "klmno pqr " + twenty});
    CHECK(wrap("I will tell you once more, that is not mine.") == Lines{"I will tell you once more,", "that is not mine."});
    // Characters, not bytes, and no tags.
    CHECK(wrap("ääääää öööööö üüüüüü ääääää öööööö üüüüüü").size() == 1);
    CHECK(wrap("<font color=\"#00ff00\">" + whole.substr(0, 42) + "</font>").size() == 1);
    for (const Lines& lines : {wrap(whole + " " + whole + " " + whole), wrap(whole + ", " + whole)}) {
        CHECK(lines.size() > 2);
        for (const std::string& line : lines) CHECK(visible_length(line) <= 42);
    }
    CHECK(wrap(std::string(60, 'x')) == Lines{std::string(60, 'x')});
    std::string han;
    for (int i = 0; i < 25; ++i) han += "漢字";
    CHECK(wrap(han).size() == 2);
}

TEST_CASE("a text is spread by length") {
    CHECK(distribute("a b c d", {1}) == Lines{"a b c d"});
    CHECK(distribute("a b c d", {1, 1}) == Lines{"a b", "c d"});
    CHECK(distribute("a b c d", {1, 3}) == Lines{"a", "b c d"});
    CHECK(distribute("a b c d", {3, 1}) == Lines{"a b c", "d"});
    CHECK(distribute("a b c d", {1, 1, 1, 1}) == Lines{"a", "b", "c", "d"});
    CHECK(distribute("a b c d", {9, 1, 1}) == Lines{"a b", "c", "d"});  // nothing stays empty
    CHECK(distribute("a b", {1, 1, 1}) == Lines{"a", "b", ""});
    CHECK(distribute("", {1, 1}) == Lines{"", ""});
    CHECK(distribute("I said so, but nobody heard", {10, 10}) == Lines{"I said so,", "but nobody heard"});
    CHECK(distribute("漢字漢字", {1, 1}) == Lines{"漢字", "漢字"});
}
