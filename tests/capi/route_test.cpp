// SPDX-License-Identifier: Apache-2.0
// dragoman_find_route(), dragoman_translator_create_route() and `dragoman translate --route`.
#include <doctest/doctest.h>

#include <dragoman/dragoman.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "fixture.h"
#include "support/run_program.h"
#include "support/temp_dir.h"

namespace route_test {

using namespace dragoman::test;
using nlohmann::json;

namespace {

const std::string kShipped = DRAGOMAN_SOURCE "/models/en-de";
const char* const kText = "Wo ist der Bahnhof?";

// A tiny model that says it translates from one language to another.
std::string tiny(const TempDir& folder, const std::string& from, const std::string& to) {
    const std::string path = (folder.path() / (from + "-" + to)).string();
    std::filesystem::copy(DRAGOMAN_TEST_DATA "/huggingface/separate", path);
    json settings = json::parse(read_file(path + "/tokenizer_config.json"));
    settings["source_lang"] = from;
    settings["target_lang"] = to;
    std::ofstream(path + "/tokenizer_config.json") << settings;
    return path;
}

std::string line(const Run& run) {
    CAPTURE(run.err);
    REQUIRE(run.exit_code == 0);
    return run.out.substr(0, run.out.find('\n'));
}

Run translate(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"translate", "--compute-type", "float32"});
    return run(DRAGOMAN_CLI, arguments, "", "");
}

}  // namespace

TEST_CASE("a way over models") {
    const TempDir folder;
    const std::string french = tiny(folder, "en", "fr"), breton = tiny(folder, "fr", "br");
    const char* const models[] = {breton.c_str(), french.c_str(), kShipped.c_str()};
    std::size_t path[3] = {}, length = 0;
    require_ok(dragoman_find_route(models, 3, "de", "br", path, &length));
    CHECK(std::vector<std::size_t>(path, path + length) == std::vector<std::size_t>{2, 1, 0});
    require_ok(dragoman_find_route(models, 3, "en", "fr", path, &length));
    CHECK(std::vector<std::size_t>(path, path + length) == std::vector<std::size_t>{1});
    check_error(dragoman_find_route(models, 2, "de", "fr", path, &length), DRAGOMAN_INVALID_ARGUMENT,
                {"from de to fr", "2 models", "nothing"});
    CHECK(length == 0);
    check_error(dragoman_find_route(models, 3, "de", "fr", nullptr, &length), DRAGOMAN_INVALID_ARGUMENT, {"path"});

    const std::string between = line(translate({"--model", kShipped, "--from", "de", "--to", "en", kText}));
    const std::string expected = line(translate({"--model", french, between}));
    const Run both = translate({"--from", "de", "--to", "fr", "--route", breton, french, kShipped, "--", kText});
    CHECK(line(both) == expected);
    CHECK(translate({"--from", "ko", "--to", "fr", "--route", french, kShipped, "--", kText}).exit_code == 2);
    CHECK(translate({"--to", "fr", "--route", french, kShipped, "--", kText}).exit_code == 2);  // from where?
}

TEST_CASE("a translator with a route, in C++") {
    const TempDir folder;
    dragoman::ModelOptions options;
    options.compute_type = DRAGOMAN_COMPUTE_F32;
    const dragoman::Model second(tiny(folder, "en", "fr").c_str(), options), first(kShipped.c_str(), options);
    const dragoman::Model* const models[] = {&second, &first};
    dragoman::Translator both(models, "de", "fr"), one(first), two(second);
    dragoman::TranslateOptions languages;
    languages.source_language = "de";
    languages.target_language = "en";
    const std::string between = one.translate(kText, languages);
    CHECK(both.translate(kText) == two.translate(between));
    CHECK_THROWS_WITH(both.translate(kText, languages), doctest::Contains("target_language"));
    CHECK_THROWS_AS(dragoman::Translator(models, "de", "de"), dragoman::Error);
}

}  // namespace route_test
