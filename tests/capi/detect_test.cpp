// SPDX-License-Identifier: Apache-2.0
// dragoman_detect_languages(), dragoman.hpp's Languages, `dragoman detect`, and source_language "auto".
#include <doctest/doctest.h>

#include <dragoman/dragoman.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "fixture.h"
#include "support/run_program.h"

namespace detect_test {

using namespace dragoman::test;
using nlohmann::json;

namespace {

const char* const kGerman = "Wo ist der Bahnhof, und wann fährt der letzte Zug?";
const char* const kEnglish = "Where is the station, and when does the last train leave?";
const char* const kFrench = "Le dernier train pour Paris part à dix heures du soir.";

Run tool(std::vector<std::string> arguments, const std::string& input = "") {
    return run(DRAGOMAN_CLI, arguments, input, "");
}

}  // namespace

TEST_CASE("languages of texts") {
    const dragoman_string texts[] = {dragoman_str(kGerman), dragoman_str("12:30"), dragoman_str(kEnglish)};
    dragoman_detection* list = nullptr;
    require_ok(dragoman_detect_languages(texts, 3, "en,de", &list));
    CHECK(dragoman_detection_count(list) == 3);
    CHECK(dragoman_detection_guess_count(list, 1) == 0);
    CHECK(dragoman_detection_guess_count(list, 3) == 0);
    dragoman_language_guess guess;
    dragoman_language_guess_init(&guess);
    require_ok(dragoman_detection_guess(list, 0, 0, &guess));
    CHECK(std::string(guess.tag) == "de");
    CHECK(std::string(guess.name) == "German");
    CHECK(guess.probability > 0.9f);
    CHECK(guess.probability <= 1.0f);
    check_error(dragoman_detection_guess(list, 1, 0, &guess), DRAGOMAN_INVALID_ARGUMENT, {"index: 0", "text 1", "0"});
    check_error(dragoman_detection_guess(list, 3, 0, &guess), DRAGOMAN_INVALID_ARGUMENT, {"text: 3", "3"});
    dragoman_detection_destroy(list);

    check_error(dragoman_detect_languages(texts, 3, "en,xqzz", &list), DRAGOMAN_INVALID_ARGUMENT, {"xqzz"});
    const dragoman_string bad{"ab\xc3", 3};
    check_error(dragoman_detect_languages(&bad, 1, nullptr, &list), DRAGOMAN_INVALID_ARGUMENT, {"texts[0]", "byte 2"});
    CHECK(list == nullptr);
    CHECK(dragoman_detection_count(nullptr) == 0);
    CHECK(std::string(dragoman::Languages(kFrench)[0].at(0).tag) == "fr");
}

TEST_CASE("the tool names languages") {
    const Run lines = tool({"detect"}, std::string(kGerman) + "\n\n" + kEnglish + "\n");
    CHECK(lines.exit_code == 0);
    CHECK(lines.out.starts_with("de\t"));
    CHECK(lines.out.find("\nund\t0.00\t\nen\t") != std::string::npos);
    const Run mixed = tool({"detect", "--sentences", "--json", std::string(kGerman) + " " + kEnglish});
    std::istringstream found(mixed.out);
    std::string line;
    std::vector<std::string> tags;
    while (std::getline(found, line)) tags.push_back(json::parse(line)["languages"][0]["tag"]);
    CHECK(tags == std::vector<std::string>{"de", "en"});
    CHECK(tool({"detect", "--expect", "xqzz", "text"}).exit_code == 2);
}

TEST_CASE("each sentence's language is found, and what needs no translation is copied") {
    const std::string text = std::string(kEnglish) + " " + kGerman + " " + kFrench;
    const Run run = tool({"translate", "--from", "auto", "--to", "de", "--json", text});
    CAPTURE(run.err);
    REQUIRE(run.exit_code == 0);
    const json result = json::parse(run.out)["hypotheses"][0];
    const json& sentences = result["sentences"];
    REQUIRE(sentences.size() == 3);
    CHECK(sentences[0]["language"] == "en");
    CHECK(!sentences[0].contains("marks"));
    CHECK(sentences[1]["language"] == "de");
    CHECK(sentences[1]["marks"] == json{"copied", "in_target_language"});
    CHECK(sentences[2]["language"] == "fr");
    CHECK(sentences[2]["marks"] == json{"copied", "in_other_language"});
    const std::string translated = result["text"];
    CHECK(translated.find("Bahnhof") < translated.find(kGerman));
    CHECK(translated.ends_with(std::string(kGerman) + " " + kFrench));
    const Run plain = tool({"translate", "--from", "en", "--to", "de", kEnglish});
    CHECK(translated.starts_with(plain.out.substr(0, plain.out.size() - 1)));
}

TEST_CASE("a model that names no languages finds none") {
    const std::string model = DRAGOMAN_TEST_DATA "/toy-text";
    const Run run = tool({"translate", "--model", model, "--from", "auto", "text"});
    CHECK(run.exit_code == 2);
    CHECK(run.err.find("--from: auto") != std::string::npos);
}

}  // namespace detect_test
