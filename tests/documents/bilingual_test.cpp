// SPDX-License-Identifier: Apache-2.0
#include "fixture.h"

namespace bilingual_test {

using namespace dragoman::documents;
using namespace dragoman::documents::test;
using Texts = std::vector<std::string>;

namespace {

std::string file(const std::string& unit) {
    return "<xliff version=\"1.2\"><file target-language=\"de\"><trans-unit>" + unit + "</trans-unit></file></xliff>";
}

std::string seg(const std::string& id, const std::string& text) {
    return "<mrk mtype=\"seg\" mid=\"" + id + "\">" + text + "</mrk>";
}

std::string source(const std::string& segments) {
    return "<source>Cats sleep. Dogs bark.</source><seg-source>" + segments + "</seg-source>";
}

}  // namespace

TEST_CASE("XLIFF: a target has the segments of its source") {
    const std::string both = seg("0", "Cats sleep.") + " " + seg("1", "Dogs bark.");
    CHECK(texts(file(source(both)), Format::xliff) == Texts{"Cats sleep.", "Dogs bark."});
    CHECK(translated(file(source(both)), Format::xliff, How::same) == file(source(both)));
    const std::string target = "<target>" + seg("0", "CATS SLEEP.") + " " + seg("1", "DOGS BARK.") + "</target>";
    CHECK(translated(file(source(both)), Format::xliff, How::capitals) == file(source(both) + target));
    // Instead of a target that has segments with nothing in them.
    const std::string empty = "<target>" + seg("0", "") + "<mrk mtype=\"seg\" mid=\"1\"/></target>";
    CHECK(translated(file(source(both) + empty), Format::xliff, How::capitals) == file(source(both) + target));
    // What is around the segments and in them stays.
    const std::string codes = "<g id=\"1\">" + seg("0", "A <g id=\"2\">cat</g> sleeps.") + "<x id=\"3\"/>" +
                              seg("1", "12") + seg("2", "<bpt id=\"4\">&lt;b&gt;</bpt>Dogs.") + "</g>";
    CHECK(translated(file(source(codes)), Format::xliff, How::backwards) ==
          file(source(codes) + "<target><g id=\"1\">" + seg("0", "SLEEPS <g id=\"2\">CAT</g> A.") + "<x id=\"3\"/>" +
               seg("1", "12") + seg("2", "<bpt id=\"4\">&lt;b&gt;</bpt>DOGS.") + "</g></target>"));
    const std::string message = seg("0", "{n, plural, one {# file} other {# files}}") + seg("1", "E&amp;xit");
    CHECK(translated(file(source(message)), Format::xliff, How::capitals) ==
          file(source(message) + "<target>" + seg("0", "{n, plural, one {# FILE} other {# FILES}}") +
               seg("1", "E&amp;XIT") + "</target>"));
    const std::string held = seg("0", "One.") + "<mrk mtype=\"seg\" mid=\"1\" translate=\"no\">Two.</mrk>";
    CHECK(texts(file(source(held)), Format::xliff) == Texts{"One."});
}

TEST_CASE("XLIFF: segments of a target that have nothing yet are filled") {
    const std::string both = seg("0", "Cats sleep.") + " " + seg("1", "Dogs bark.") + seg("2", "Birds sing.");
    const std::string begun = source(both) + "<target>" + seg("0", "Katzen schlafen.") + " " + seg("1", " ") +
                              "<mrk mid=\"2\" mtype=\"seg\" /></target>";
    CHECK(texts(file(begun), Format::xliff) == Texts{"Dogs bark.", "Birds sing."});
    CHECK(translated(file(begun), Format::xliff, How::capitals) ==
          file(source(both) + "<target>" + seg("0", "Katzen schlafen.") + " " + seg("1", "DOGS BARK.") +
               "<mrk mid=\"2\" mtype=\"seg\" >BIRDS SING.</mrk></target>"));
    const std::string done = source(both) + "<target>" + seg("0", "eins") + seg("1", "zwei") + seg("2", "drei") +
                             "</target>";
    CHECK(translated(file(done), Format::xliff, How::capitals) == file(done));
    const std::string whole = source(both) + "<target>Katzen schlafen.</target>";
    CHECK(translated(file(whole), Format::xliff, How::capitals) == file(whole));
}

}  // namespace bilingual_test
