// SPDX-License-Identifier: Apache-2.0
#include "fixture.h"

#include "documents/subtitles/file.h"
#include "documents/subtitles/layout.h"
#include "documents/subtitles/marked.h"
#include "markup/project.h"

namespace subtitles_test {

using namespace dragoman;
using namespace dragoman::documents;
using Lines = std::vector<std::string>;

namespace {

// The message for a file that is broken.
std::string message(const std::string& file) {
    try {
        parse_subtitles(file);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

std::string with_cr(std::string text) {
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, "\r");
    return text;
}

std::string with_markup(const std::string& line, const std::string& translation, Format format = Format::srt) {
    const Marked marked = take_markup(line, format);
    markup::Unit unit;
    std::vector<TagPair> tags;
    add_marks(marked, 0, unit.marks, tags);
    const text::Range all{0, translation.size()};
    const markup::AlignedSentence sentence{{0, marked.text.size()}, all, {}};
    const auto places = markup::project(unit, marked.text, translation, std::span(&sentence, 1));
    return marked.prefix + put_tags(translation, std::span(&all, 1), tags, places, format)[0] + marked.suffix;
}

Lines parts(std::string_view text, const std::vector<std::size_t>& shares) {
    Lines lines;
    for (const text::Range& range : distribute(text, shares)) lines.emplace_back(text::part(text, range));
    return lines;
}

}  // namespace

TEST_CASE("what is broken is named with its line") {
    CHECK(message("1\n00:00:01,000 --> 00:00:02,000\nx\n") == "");
    CHECK(message("1\n00:00:01,000 -> 00:00:02,000\nx\n") ==
          "line 2: expected a timing line, got '00:00:01,000 -> 00:00:02,000'");
    CHECK(message("1\n00:00:01,000 --> 00:00:02\nx\n") ==
          "line 2: expected a time of the form hh:mm:ss,mmm, got '00:00:02'");
    for (const char* time :
         {"00:60:00,000", "00:00:60,000", "00:00,000", "0a:00:00,000", "", "00:00:01,00", "00:00:2,500", ":00:01,000",
          "00:00:00:01,000", "-1:00:01,000", "99999999999999999999:00:01,000"}) {
        CAPTURE(time);
        CHECK(message("1\n" + std::string(time) + " --> 99:00:02,000\nx\n").starts_with("line 2: expected a time"));
    }
    CHECK(message("\n\n1\r\n00:00:03,000 --> 00:00:02,000\r\nx\r\n") ==
          "line 4: the cue ends at 00:00:02,000, before it begins at 00:00:03,000");
    CHECK(message("x\n") == "line 1: expected the index of a cue, got 'x'");
    CHECK(message("1") == "line 2: expected a timing line, got the end of the file");
    CHECK(message("1\n00:00:01,000 --> 00:00:02,000\nx\n2\n00:00:03,000 --> 00:00:04,000\ny\n") ==
          "line 5: a timing line inside a cue: a blank line is missing");
    CHECK(message("1\n00:00:01,000 --> 00:00:02,000\nx\xff\n") ==
          "line 3: invalid UTF-8: save the file as UTF-8 first");
    CHECK(message("WEBVTT\n\n00:01,000 --> 00:02.000\nx\n") ==
          "line 3: expected a time of the form hh:mm:ss.mmm or mm:ss.mmm, got '00:01,000'");
    CHECK(message("WEBVTT\n\nname\nx\n") == "line 4: expected a timing line, got 'x'");
}

TEST_CASE("text behind a blank line belongs to its cue") {
    SubtitleFile file = parse_subtitles(
        "1\n00:00:01,000 --> 00:00:02,000\nthe playful\n\n  magic\n\n2\n"
        "00:00:03,000 --> 00:00:04,000\n\n3\n00:00:05,000 --> 00:00:06,000\ny\n\n");
    REQUIRE(file.cues.size() == 3);
    CHECK(file.cues[0].text == Lines{"the playful", "  magic"});
    CHECK(file.cues[1].text.empty());
    file.cues[0].text = {"a", "b"};
    CHECK(print_subtitles(file) ==
          "1\n00:00:01,000 --> 00:00:02,000\na\nb\n\n2\n"
          "00:00:03,000 --> 00:00:04,000\n\n3\n00:00:05,000 --> 00:00:06,000\ny\n\n");
    CHECK(message("1\n00:00:01,000 --> 00:00:02,000\nx\n\n2\n00:00:03,000 -> 00:00:04,000\ny\n") ==
          "line 6: expected a timing line, got '00:00:03,000 -> 00:00:04,000'");
    CHECK(message("1\n00:00:01,000 --> 00:00:02,000\n\nx\n") == "line 4: expected the index of a cue, got 'x'");
}

TEST_CASE("reading and writing changes nothing") {
    for (const std::string file :
         {"", "\n", "\n\n1\n00:00:01,000 --> 00:00:02,000\nx\ny\n\n\n2\n00:00:02,000 --> 00:00:02,000",
          "WEBVTT\n\nNOTE x", "\xEF\xBB\xBFWEBVTT\tx\n\n1:00:01.000 --> 1:00:02.000\nx"}) {
        CAPTURE(file);
        CHECK(print_subtitles(parse_subtitles(file)) == file);
        CHECK(print_subtitles(parse_subtitles(with_cr(file))) == with_cr(file));
    }
    const SubtitleFile document = parse_subtitles("1\n01:02:03,004 --> 01:02:04,050\nx\n");
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
    CHECK(with_markup("1 < 2 <u>three</u>", "1 < 2 <u") == "1 < 2 <<u>u</u>");
    CHECK(with_markup("a &amp; b &lt;", "x & y <", Format::vtt) == "x &amp; y &lt;");
    CHECK(take_markup("a &amp; b &nbsp;c", Format::vtt).text ==
          "a & b \xC2\xA0"
          "c");
    CHECK(take_markup("a &amp; b", Format::srt).text == "a &amp; b");
    CHECK(take_markup("I thought—", Format::srt).text == "I thought—");
    CHECK_FALSE(has_words("... ?!"));
    CHECK_FALSE(has_words(take_markup("♪ – ♫", Format::srt).text));
    CHECK(has_words("é"));
    CHECK(has_words("漢"));
}

TEST_CASE("tags go with their words, by the alignment") {
    using namespace dragoman::documents::test;
    const std::string time = "1\n00:00:01,000 --> 00:00:02,000\n", next = "\n2\n00:00:02,000 --> 00:00:03,000\n";
    const auto backwards = [](const std::string& file) { return translated(file, Format::srt, How::backwards); };
    CHECK(backwards(time + "one <i>two</i> three <b>four five</b>.\n") ==
          time + "<b>FIVE FOUR</b> THREE <i>TWO</i> ONE.\n");
    CHECK(backwards(time + "<i>one</i> two three.\n") == time + "THREE TWO <i>ONE</i>.\n");
    CHECK(backwards(time + "<i>one <b>two</b></i> three.\n") == time + "THREE <i><b>TWO</b> ONE</i>.\n");
    CHECK(backwards(time + "<i>one two</i>.\n") == time + "<i>TWO ONE</i>.\n");
    CHECK(backwards(time + "<i>one <b>two</i> three</b>.\n") == time + "<i>THREE <b>TWO</i> ONE</b>.\n");
    // Words that come into another cue take their tags there; a pair over two cues is closed and opened again.
    CHECK(backwards(time + "<b>one</b> two\n" + next + "three four.\n") ==
          time + "FOUR THREE\n" + next + "TWO <b>ONE</b>.\n");
    CHECK(backwards(time + "one <i>two three four</i>\n" + next + "five.\n") ==
          time + "FIVE <i>FOUR THREE TWO</i>\n" + next + "ONE.\n");
}

TEST_CASE("lines of 42 characters, two where that is enough") {
    const std::string twenty = "abcde fghij klmno pqr";  // 21 with a space after it
    CHECK(wrap("short") == Lines{"short"});
    CHECK(wrap("") == Lines{""});
    const std::string whole = twenty + " " + twenty;
    CHECK(wrap(whole.substr(0, 42)) == Lines{whole.substr(0, 42)});
    CHECK(wrap(whole) == Lines{twenty, twenty});
    CHECK(wrap("One two three four, " + whole) == Lines{"One two three four, abcde fghij", "klmno pqr " + twenty});
    CHECK(wrap("I will tell you once more, that is not mine.") ==
          Lines{"I will tell you once more,", "that is not mine."});
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
    CHECK(parts("a b c d", {1}) == Lines{"a b c d"});
    CHECK(parts("a b c d", {1, 1}) == Lines{"a b", "c d"});
    CHECK(parts("a b c d", {1, 3}) == Lines{"a", "b c d"});
    CHECK(parts("a b c d", {3, 1}) == Lines{"a b c", "d"});
    CHECK(parts("a b c d", {1, 1, 1, 1}) == Lines{"a", "b", "c", "d"});
    CHECK(parts("a b c d", {9, 1, 1}) == Lines{"a b", "c", "d"});  // nothing stays empty
    CHECK(parts("a b", {1, 1, 1}) == Lines{"a", "b", ""});
    CHECK(parts("", {1, 1}) == Lines{"", ""});
    CHECK(parts("I said so, but nobody heard", {10, 10}) == Lines{"I said so,", "but nobody heard"});
    CHECK(parts("漢字漢字", {1, 1}) == Lines{"漢字", "漢字"});
}

TEST_CASE("a text is cut where its words belong to the cues, not by length alone") {
    const std::string text = "one two three four five six seven eight";
    const auto cut = [&](std::size_t wanted, std::vector<CueRoom> cues, double letters = 5) {
        Lines lines;
        const auto misplaced = [&](std::size_t, std::size_t byte) {
            return std::abs(double(byte) - double(wanted)) / letters;
        };
        for (const text::Range& range : divide(text, cues, misplaced)) lines.emplace_back(text::part(text, range));
        return lines;
    };
    CHECK(cut(text.find(" three"), {{20, 5000}, {20, 5000}}) == Lines{"one two", "three four five six seven eight"});
    CHECK(cut(text.find(" seven"), {{20, 5000}, {20, 5000}}) == Lines{"one two three four five six", "seven eight"});
    // A cue that is too short to be read gives words to the other one.
    CHECK(cut(text.find(" seven"), {{20, 500}, {20, 5000}}, 20)[0].size() < 20);
    // By length where nothing is known.
    const Lines same = parts(text, {20, 20});
    Lines unknown;
    for (const text::Range& range : divide(text, {{20, 5000}, {20, 5000}}, [](auto, auto) { return 0.0; }))
        unknown.emplace_back(text::part(text, range));
    CHECK(unknown == same);
    CHECK(divide("one", {{1, 1}, {1, 1}, {1, 1}}, [](auto, auto) { return 0.0; }).size() == 3);
}

TEST_CASE("a sentence over two cues follows its words") {
    const std::string file =
        "1\n00:00:01,000 --> 00:00:03,000\nthe old dog\n\n2\n00:00:03,000 --> 00:00:05,000\n<i>sleeps</i> now.\n";
    const Document document(file, Format::srt, {"en", "de"});
    REQUIRE(document.texts().size() == 1);
    documents::Translation translation{"der sehr sehr alte Hund schl\u00e4ft nun.", {}};
    markup::AlignedSentence one{{0, document.texts()[0].size()}, {0, translation.text.size()}, {}};
    one.words.source = text::words(document.texts()[0]);
    one.words.target = text::words(translation.text);
    one.words.weights.assign(6 * 8, 0.0f);
    const std::size_t links[8]{0, 1, 1, 1, 2, 3, 4, 5};
    for (std::size_t w = 0; w < 8; ++w) one.words.weights[w * 6 + links[w]] = 1.0f;
    translation.sentences.push_back(one);
    CHECK(document.write(std::span(&translation, 1)) ==
          "1\n00:00:01,000 --> 00:00:03,000\nder sehr sehr alte Hund\n\n2\n00:00:03,000 --> "
          "00:00:05,000\n<i>schl\u00e4ft</i> nun.\n");
}

TEST_CASE("speakers and sounds stay apart") {
    using documents::test::texts;
    using documents::test::translated;
    const auto cue = [](const std::string& text) { return "1\n00:00:01,000 --> 00:00:03,000\n" + text + "\n"; };
    CHECK(texts(cue("- Are you here?\n- Yes, I have been\nhere all day."), Format::srt) ==
          Lines{"Are you here?", "Yes, I have been here all day."});
    CHECK(texts(cue("- Are you here? - Yes."), Format::srt) == Lines{"Are you here?", "Yes."});
    CHECK(texts(cue("- Well - no."), Format::srt) == Lines{"Well - no."});
    CHECK(texts(cue("[door closes] I am here."), Format::srt) == Lines{"[door closes]", "I am here."});
    CHECK(texts(cue("(laughs) No."), Format::srt) == Lines{"(laughs)", "No."});
    CHECK(translated(cue("[phone rings]\nHello?"), Format::srt, documents::test::How::capitals) ==
          cue("[PHONE RINGS]\nHELLO?"));
    CHECK(texts(cue("TOM: The police\nare coming."), Format::srt) == Lines{"TOM:", "The police are coming."});
    CHECK(texts(cue("- MAN 1: [sighs] Yes.\n- No."), Format::srt) == Lines{"MAN 1:", "[sighs]", "Yes.", "No."});
    CHECK(translated(cue("- <i>MR. O'HARA: Yes.</i>"), Format::srt, documents::test::How::capitals) ==
          cue("- <i>MR. O'HARA: YES.</i>"));
    for (const char* other : {"At 3: Yes.", "A: b.", "Tom: Yes.", "ONE TWO THREE FOUR FIVE: No.", "TOM:"})
        CHECK(texts(cue(other), Format::srt).size() < 2);
    CHECK(texts("WEBVTT\n\n00:01.000 --> 00:02.000\nThe <ruby>old<rt>OLD</rt></ruby> house.\n", Format::vtt) ==
          Lines{"The old house."});
    CHECK(with_markup("The <ruby>old<rt>x</rt></ruby> one", "The old one", Format::vtt) ==
          "The <ruby>old<rt>x</rt></ruby> one");
    CHECK(texts(cue("(or so) he said."), Format::srt) == Lines{"(or so) he said."});
    CHECK(translated(cue("- [sighs] Yes.\n- No."), Format::srt, documents::test::How::capitals) ==
          cue("- [SIGHS] YES.\n- NO."));
    CHECK(texts(cue(">> Good evening.\n>> Hello, Tom."), Format::srt) == Lines{"Good evening.", "Hello, Tom."});
    CHECK(translated(cue(">> One.\n>> Two."), Format::srt, documents::test::How::capitals) == cue(">> ONE.\n>> TWO."));
    const std::string both = cue("- One?\n- Two and") + "\n2\n00:00:03,000 --> 00:00:05,000\nthree.\n";
    CHECK(texts(both, Format::srt) == Lines{"One?", "Two and three."});
    CHECK(texts(cue("[music]") + "\n2\n00:00:03,000 --> 00:00:05,000\nThe man was\n\n3\n00:00:05,000 --> "
                                 "00:00:06,000\n(or so)\n\n4\n00:00:06,000 --> 00:00:07,000\n(a) and (b)\n",
                Format::srt) == Lines{"[music]", "The man was", "(or so)", "(a) and (b)"});
    CHECK(translated(both, Format::srt, documents::test::How::capitals).find("- ONE?\n- TWO AND\n\n2\n") != both.npos);
}

TEST_CASE("marks of speakers stay as they are written, each in a line") {
    const std::string times = "WEBVTT\n\n00:01.000 --> 00:02.000\n";
    CHECK(documents::test::translated(times + "&gt;&gt; One. &gt;&gt; Two.\n", Format::vtt,
                                      documents::test::How::capitals) == times + "&gt;&gt; ONE.\n&gt;&gt; TWO.\n");
    CHECK(documents::test::translated(times + ">> One &amp; two.\n", Format::vtt, documents::test::How::capitals) ==
          times + ">> ONE &amp; TWO.\n");
    CHECK(documents::test::translated(times + "-&nbsp;One.\n", Format::vtt, documents::test::How::capitals) ==
          times + "-&nbsp;ONE.\n");
    CHECK(documents::test::texts(times + "# I love it #\n", Format::vtt) == Lines{"I love it"});
    CHECK(documents::test::texts(times + "#one and #two\n", Format::vtt) == Lines{"#one and #two"});
}

}  // namespace subtitles_test
