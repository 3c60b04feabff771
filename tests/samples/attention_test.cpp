// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/run_program.h"
#include "recorded.h"

namespace attention_test {

using namespace dragoman::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const std::string kProgram = DRAGOMAN_SAMPLES "/attention";

// The transliteration model with SentencePiece models of one piece per letter beside it.
struct LetterModel {
    TempDir folder;
    std::string path = folder.path() / "model";

    LetterModel() {
        fs::copy(DRAGOMAN_TEST_DATA "/aren-transliteration", path);
        fs::copy(DRAGOMAN_TEST_DATA "/letters/source.spm", path);
        fs::copy(DRAGOMAN_TEST_DATA "/letters/target.spm", path);
    }
    static json recorded(const std::string& name) {
        std::ifstream file(DRAGOMAN_TEST_DATA "/aren-transliteration/expected.json");
        const json all = json::parse(file);
        for (const json& c : all.at("cases")) {
            if (c.at("name") == name) return c;
        }
        return {};
    }
};

struct Size {
    unsigned width, height;
};

Size png_size(const std::string& path) {
    const std::string file = read_file(path);
    REQUIRE(file.size() > 33);
    CHECK(file.substr(0, 8) == "\x89PNG\r\n\x1a\n");
    const auto number = [&](std::size_t at) {
        unsigned value = 0;
        for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(file[at + i]);
        return value;
    };
    return {number(16), number(20)};
}

}  // namespace

TEST_CASE("the weights are CTranslate2's") {
    const LetterModel model;
    const json c = LetterModel::recorded("greedy_attention");
    REQUIRE(!c.is_null());
    const json source = c.at("source").at(0), expected = c.at("expected").at(0);
    const json target = expected.at("hypotheses").at(0), attention = expected.at("attention").at(0);
    std::string text, translation;
    for (const json& letter : source) text += letter.get<std::string>();
    for (const json& letter : target) translation += letter.get<std::string>();

    const std::string picture = model.folder.path() / "a.png";
    const Run run = dragoman::test::run(kProgram,
                                        {"--model", model.path, "--beam", "1", "--least", "0", "--out", picture, text});
    CHECK(run.exit_code == 0);
    CHECK(run.err.empty());
    REQUIRE(run.out.starts_with(translation + "\n\n"));
    std::istringstream lines(run.out.substr(translation.size() + 2));
    std::string line;
    for (std::size_t row = 0; row < target.size(); ++row) {
        for (std::size_t col = 0; col < source.size(); ++col) {
            REQUIRE(std::getline(lines, line));
            CAPTURE(line);
            const std::string pieces = target[row].get<std::string>() + " -> " + source[col].get<std::string>() + " ";
            REQUIRE(line.starts_with(pieces));
            CHECK(std::abs(std::stod(line.substr(pieces.size())) - attention[row][col].get<double>()) <= 0.0051);
        }
    }
    for (std::size_t col = 0; col < source.size(); ++col) {
        REQUIRE(std::getline(lines, line));
        CHECK(line.starts_with("end -> "));
    }
    CHECK_FALSE(std::getline(lines, line));
    const Size size = png_size(picture);
    CHECK(size.width > 72 * source.size());
    CHECK(size.height > 72 * target.size());
}

TEST_CASE("only what matters is printed, pieces without their mark") {
    const TempDir folder;
    const std::string picture = folder.path() / "a.png";
    const Run run = dragoman::test::run(kProgram, {"-m", kCodeModel, "-t", "yy", "-o", picture, "késora!"});
    CHECK(run.exit_code == 0);
    CHECK(run.out.starts_with("Gakux!\n\n"));
    CHECK(run.out.find("▁") == std::string::npos);
    CHECK(run.out.find("Gakux -> ") != std::string::npos);
    CHECK(std::count(run.out.begin(), run.out.end(), '\n') >= 5);
    CHECK(std::count(run.out.begin(), run.out.end(), '\n') <= 11);
    CHECK(png_size(picture).width > 100);
}

TEST_CASE("a layer and a head of choice; what a row lacks to 1 is the end's") {
    std::ifstream file(std::string(kCodeModel) + "/attention.json");
    const json recorded = json::parse(file);
    const TempDir folder;
    const std::string picture = folder.path() / "a.png";
    const Run run = dragoman::test::run(kProgram, {"-m", kCodeModel, "-b", "4", "-L", "1", "-H", "2", "--least", "0",
                                                   "-o", picture, recorded[0].at("text").get<std::string>(),
                                                   recorded[1].at("text").get<std::string>()});
    CHECK(run.exit_code == 0);
    std::istringstream lines(run.out);
    std::string line;
    for (const json& text : recorded) {
        REQUIRE(std::getline(lines, line));  // the translation
        REQUIRE(std::getline(lines, line));
        CHECK(line.empty());
        for (const json& row : text.at("attention")[0][1]) {
            double sum = 0;
            for (const json& weight : row) {
                REQUIRE(std::getline(lines, line));
                CAPTURE(line);
                const double found = std::stod(line.substr(line.rfind(' ')));
                CHECK(std::abs(found - weight.get<double>()) <= 0.0051);
                sum += found;
            }
            CHECK(line.find(" -> end ") != std::string::npos);
            CHECK(sum == doctest::Approx(1).epsilon(0.04));
        }
        std::getline(lines, line);  // between two texts
    }
    CHECK_FALSE(std::getline(lines, line));
    CHECK(png_size(picture).width > 1000);
    CHECK(dragoman::test::run(kProgram, {"-m", kCodeModel, "-L", "3", "-o", picture, "késora!"}).err ==
          "attention: invalid_argument: attention_layer: 3, the decoder has 2 layers\n");
    CHECK(dragoman::test::run(kProgram, {"-m", kCodeModel, "-H", "some", "-o", picture, "késora!"}).exit_code == 2);
}

TEST_CASE("what is wrong is named") {
    CHECK(run(kProgram, {"--help"}).exit_code == 0);
    CHECK(run(kProgram, {}).exit_code == 2);
    CHECK(run(kProgram, {" "}).exit_code == 2);
    CHECK(run(kProgram, {"--least", "much", "x"}).exit_code == 2);
    CHECK(run(kProgram, {"--model", "/no/such/model", "x"}).err.find("io_error: ") != std::string::npos);
    const Run unwritable = run(kProgram, {"-m", kToyModel, "-o", "/no/such/folder/a.png", "késora!"});
    CHECK(unwritable.exit_code == 1);
    CHECK(unwritable.err.find("/no/such/folder/a.png") != std::string::npos);
    std::string longer;
    for (int i = 0; i < 160; ++i) longer += "آ";
    const Run crowded = run(kProgram, {"-m", LetterModel().path, "-o", "/dev/null", longer});
    CHECK(crowded.exit_code == 1);
    CHECK(crowded.err.find("150 fit") != std::string::npos);
}

TEST_CASE("a text that is only copied has no attention, and that is said") {
    const TempDir folder;
    const std::string picture = folder.path() / "a.png";
    const std::string text = "\xc2\xad";  // a soft hyphen
    const Run run = dragoman::test::run(kProgram, {"-m", kCodeModel, "-t", "xx", "-o", picture, "késora!", text});
    CHECK(run.exit_code == 1);
    CHECK_MESSAGE(run.err.starts_with("attention: the model knows no part of '" + text + "'"), run.err);
    CHECK_FALSE(fs::exists(picture));
}

}  // namespace attention_test
