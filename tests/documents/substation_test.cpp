// SPDX-License-Identifier: Apache-2.0
#include "fixture.h"

#include "documents/subtitles/file.h"
#include "documents/subtitles/overrides.h"

namespace substation_test {

using namespace dragoman;
using namespace dragoman::documents;
using namespace dragoman::documents::test;
using Texts = std::vector<std::string>;

namespace {

const std::string kHead =
    "[Script Info]\n; one\nTitle: two\n\n[V4+ Styles]\nFormat: Name, Fontname\nStyle: Default,Arial\n\n[Events]\n"
    "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n";

std::string dialogue(const std::string& text, const std::string& times = "0:00:01.00,0:00:03.50",
                     const std::string& style = "Default", const std::string& effect = "") {
    return "Dialogue: 0," + times + "," + style + ",,0,0,0," + effect + "," + text + "\n";
}

std::string written(const std::string& text, How how = How::backwards) {
    const std::string file = translated(kHead + dialogue(text), Format::ass, how);
    const std::size_t begin = (kHead + dialogue("")).size() - 1;
    return file.substr(begin, file.size() - begin - 1);
}

std::string broken(const std::string& line) {
    return refusal("[Events]\nFormat: Start, End, Text\n" + line + "\n", Format::ass);
}

}  // namespace

TEST_CASE("SubStation Alpha: dialogues alone are translated") {
    const std::string file = kHead + "Comment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,a note\n" +
                             dialogue("One, two.") + dialogue("sy", "0:00:01.00,0:00:03.50", "Default", "fx") +
                             "\n[Fonts]\nDialogue: 0,0,0,,,,,,,x\n";
    CHECK(find_format("film.ssa", "") == Format::ass);
    CHECK(find_format("", file) == Format::ass);
    CHECK(find_format("", "\xEF\xBB\xBF[Script Info]\r\n") == Format::ass);
    CHECK(texts(file, Format::ass) == Texts{"One, two."});
    CHECK(translated(file, Format::ass, How::same) == file);
    CHECK(translated(file, Format::ass, How::capitals) ==
          kHead + "Comment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,a note\n" + dialogue("ONE, TWO.") +
              dialogue("sy", "0:00:01.00,0:00:03.50", "Default", "fx") + "\n[Fonts]\nDialogue: 0,0,0,,,,,,,x\n");
    const std::string old =
        "[Events]\r\nFormat: Marked, Start, End, Text\r\nDialogue: Marked=0,0:00:01.00,0:00:02.00,a, b\r\n";
    CHECK(translated(old, Format::ass, How::capitals) ==
          "[Events]\r\nFormat: Marked, Start, End, Text\r\nDialogue: Marked=0,0:00:01.00,0:00:02.00,A, B\r\n");
    const SubtitleFile read = parse_substation(kHead + dialogue("x", "1:02:03.4,1:02:03.456"));
    REQUIRE(read.cues.size() == 1);
    CHECK(read.cues[0].begin_ms == 3723400);
    CHECK(read.cues[0].end_ms == 3723456);
}

TEST_CASE("SubStation Alpha: what is broken is named with its line") {
    CHECK(broken("Dialogue: 0:00:01.00,0:00:02.00,x, y") == "");
    CHECK(broken("Dialogue: 0:00:01.00") == "line 3: expected 3 fields, got 1");
    for (const char* time : {"0:60:00.00", "00:01.00", "0:00:01", "0:00:01.0000", "a", "", "9999999:00:00.0"})
        CHECK(broken("Dialogue: " + std::string(time) + ",9:00:02.00,x") ==
              "line 3: expected a time of the form h:mm:ss.cc, got '" + std::string(time) + "'");
    CHECK(broken("Dialogue: 0:00:03.00,0:00:02.00,x") ==
          "line 3: the dialogue ends at 2000 ms, before it begins at 3000 ms");
    CHECK(broken("Format: Text, Start") == "line 3: expected Text as the last field, got 'start'");
}

TEST_CASE("SubStation Alpha: overrides go with their words, drawings and comments stay") {
    CHECK(written("one {\\i1}two{\\i0} three.") == "THREE {\\i1}TWO{\\i0} ONE.");
    CHECK(written("{\\an8}one {\\b1\\fs20}two{\\b0\\fs} three.") == "{\\an8}THREE {\\b1\\fs20}TWO{\\b0\\fs} ONE.");
    CHECK(written("{\\an8\\i1}one{\\i} two.") == "TWO {\\an8\\i1}ONE{\\i}.");
    CHECK(written("one {\\c&H0000FF&}two{\\r} three.") == "THREE {\\c&H0000FF&}TWO{\\r} ONE.");
    CHECK(written("{\\i1}one two.{\\i0}") == "{\\i1}TWO ONE.{\\i0}");
    CHECK(written("one{a note} two.", How::capitals) == "ONE{a note} TWO.");
    CHECK(written("{\\p1}m 0 0 l 100 0{\\c} 5 b{\\p0}one two.") == "{\\p1}m 0 0 l 100 0{\\c} 5 b{\\p0}TWO ONE.");
    CHECK(written("{\\pos(1,2)\\p1}m 0 0 l x 0") == "{\\pos(1,2)\\p1}m 0 0 l x 0");
    CHECK(written("one\\htwo <b>.", How::capitals) == "ONE\\hTWO <B>.");
    CHECK(written("one \\{two\\} {three.", How::capitals) == "ONE \\{TWO\\} \\{THREE.");
    // Times of syllables stay, in their order.
    CHECK(written("{\\k20}one {\\k30}two {\\kf40}three") == "{\\k20}THREE {\\k30}TWO {\\kf40}ONE");
    const std::string parts = written("{\\k20}one{\\k30}two {\\k40}three");  // syllables
    CHECK(parts.find("\\k30") < parts.find("\\k40"));
    CHECK(override_name("{\\blur2\\bord1}") == "\\blur\\bord");
    CHECK(override_name("{\\t(0,5,\\fs20)}") == "");
    CHECK(override_name("{\\clip(m 0 0)\\3c&HFF&}") == "\\3c");
}

TEST_CASE("SubStation Alpha: lines, and sentences over several dialogues") {
    CHECK(texts(kHead + dialogue("One\\Ntwo\\nthree."), Format::ass) == Texts{"One two three."});
    CHECK(written("One\\Ntwo", How::capitals) == "ONE TWO");
    CHECK(written("- One.\\N- Two.", How::capitals) == "- ONE.\\N- TWO.");
    const std::string longest = "a line that has more than forty-two characters, and";
    CHECK(written(longest, How::capitals).find("\\N") == std::string::npos);
    CHECK(written(longest + "\\Nmore of it", How::capitals) ==
          "A LINE THAT HAS MORE THAN\\NFORTY-TWO CHARACTERS, AND MORE OF IT");
    const std::string next = "0:00:03.50,0:00:05.00";
    CHECK(texts(kHead + dialogue("I thought") + dialogue("that it rains.", next), Format::ass) ==
          Texts{"I thought that it rains."});
    CHECK(texts(kHead + dialogue("I thought") + dialogue("that it rains.", next, "Sign"), Format::ass).size() == 2);
    CHECK(texts(kHead + dialogue("{\\pos(1,2)}Bakery") + dialogue("{\\pos(1,2)}Open", next), Format::ass).size() == 2);
    CHECK(translated(kHead + dialogue("one {\\i1}two three four{\\i0}") + dialogue("five.", next), Format::ass,
                     How::backwards) == kHead + dialogue("FIVE {\\i1}FOUR THREE TWO{\\i0}") + dialogue("ONE.", next));
}

}  // namespace substation_test
