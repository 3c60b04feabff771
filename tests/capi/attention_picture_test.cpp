// SPDX-License-Identifier: Apache-2.0
// The picture that `dragoman translate --attention-picture` draws.
#include <doctest/doctest.h>

#include <filesystem>

#include "support/run_program.h"
#include "text_model.h"

namespace attention_picture_test {

using namespace dragoman::test;

namespace {

// Width and height of a PNG, which are big-endian in its first chunk.
std::pair<unsigned, unsigned> size_of(const std::string& png) {
    REQUIRE(png.starts_with("\x89PNG\r\n\x1a\n"));
    const auto number = [&](std::size_t at) {
        unsigned value = 0;
        for (std::size_t i = 0; i < 4; ++i) value = value << 8 | uint8_t(png[at + i]);
        return value;
    };
    return {number(16), number(20)};
}

}  // namespace

TEST_CASE("a picture of attention has a part for each sentence") {
    const TextModel model;
    const TempDir folder;
    const std::string path = folder.path() / "attention.png", word = "\xd8\xa2\xd8\xaa\xd8\xb2\xd9\x85\xd9\x88\xd9\x86";
    const auto draw = [&](std::vector<std::string> texts, const std::string& input) {
        std::vector<std::string> all = {"translate", "--model", model.path, "--attention-picture", path};
        all.insert(all.end(), texts.begin(), texts.end());
        const Run done = run(DRAGOMAN_CLI, all, input);
        CAPTURE(done.err);
        REQUIRE(done.exit_code == 0);
        CHECK(!done.out.empty());
        return size_of(read_file(path));
    };
    const auto one = draw({word}, ""), two = draw({word, word}, ""), five = draw({word, word, word, word, word}, "");
    CHECK(five.first > one.first);  // side by side
    CHECK(draw({}, word + "\n" + word + "\n") == two);
    CHECK(draw({"--attention-layer", "1", "--attention-head", "all", word}, "").second == one.second);
}

TEST_CASE("what cannot be drawn is said") {
    const TextModel model;
    const TempDir folder;
    const std::string path = folder.path() / "attention.png";
    const auto draw = [&](std::vector<std::string> more) {
        std::vector<std::string> all = {"translate", "--model", model.path, "--attention-picture", path};
        all.insert(all.end(), more.begin(), more.end());
        return run(DRAGOMAN_CLI, all);
    };
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{"--tokens", "a"}, {"--json", "a"}, {"--show", "page.html", "a"}}) {
        const Run refused = draw(more);
        CHECK(refused.exit_code == 2);
        CHECK(refused.err.find("--attention-picture") != std::string::npos);
    }
    const Run nothing = draw({""});
    CHECK(nothing.exit_code == 1);
    CHECK(nothing.err.find("nothing is drawn") != std::string::npos);
    CHECK(!std::filesystem::exists(path));
}

}  // namespace attention_picture_test
