// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "capi/process.h"
#include "recorded.h"

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
    const Run run = dragoman::test::run(kProgram, {"--model", model.path, "--beam", "1", "--least", "0", "--out", picture, text});
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
