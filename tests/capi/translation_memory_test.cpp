// SPDX-License-Identifier: Apache-2.0
// Memories through dragoman.h, dragoman.hpp and `dragoman translate`.
#include <doctest/doctest.h>

#include <dragoman/documents.h>
#include <dragoman/dragoman.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "fixture.h"
#include "support/run_program.h"
#include "support/temp_dir.h"

namespace translation_memory_test {

using namespace dragoman::test;
using nlohmann::json;

namespace {

const std::string kTmx =
    "<tmx version=\"1.4\"><header/><body><tu><tuv xml:lang=\"en\"><seg>Where is the station?</seg></tuv>"
    "<tuv xml:lang=\"de\"><seg>Wo liegt die Haltestelle?</seg></tuv></tu></body></tmx>";

}  // namespace

TEST_CASE("a memory is shared by translators, calls and jobs, and outlives its handle") {
    const dragoman::Model model;
    dragoman::Translator one(model), other(model);
    auto memory = std::make_unique<dragoman::TranslationMemory>();
    dragoman::TranslateOptions options;
    options.target_language = "de";
    const std::string plain = one.translate("I have a dog.", options);
    options.memory = memory->get();
    CHECK(one.translate("I have a dog.", options) == plain);
    CHECK(other.translate("I have a dog.", options) == plain);
    const dragoman_memory_counts counts = memory->stats();
    CHECK(counts.hits == 1);
    CHECK(counts.misses == 1);
    CHECK(counts.entries == 1);
    CHECK(counts.bytes > 0);
    CHECK(counts.file_entries == 0);
    const std::string_view texts[] = {"I have a dog.", "I have a dog."};
    dragoman::Job job = one.submit(texts, options);
    memory.reset();
    CHECK(job.get().text(1) == plain);
}

TEST_CASE("results tell what came from a memory") {
    const dragoman::Model model;
    dragoman::Translator translator(model);
    dragoman::MemoryOptions settings;
    CHECK(settings.min_similarity == 0.75f);
    CHECK(settings.max_matches == 3);
    settings.record = 1;
    settings.min_similarity = 0.6f;
    dragoman::TranslationMemory memory(settings);
    CHECK(memory.read_tmx(kTmx) == 1);
    memory.add("en", "de", "Good night.", "Gute Nacht!");
    dragoman::TranslateOptions options;
    options.target_language = "de";
    options.memory = memory.get();
    const std::string_view texts[] = {"Where is the station? Where is the old station?"};
    const dragoman::Result result = translator.translate(texts, options);
    CHECK(result.text(0).starts_with("Wo liegt die Haltestelle? "));
    CHECK(result.sentence(0, 0, 0).flags == DRAGOMAN_SENTENCE_FROM_MEMORY);
    CHECK(result.matches(0, 0).empty());
    const auto matches = result.matches(0, 1);
    REQUIRE(matches.size() == 1);
    CHECK(matches[0].similarity == doctest::Approx(5.0 / 6));
    CHECK(dragoman::view(matches[0].source) == "Where is the station?");
    CHECK(dragoman::view(matches[0].target) == "Wo liegt die Haltestelle?");
    dragoman_match match;
    dragoman_match_init(&match);
    check_error(dragoman_result_match(result.get(), 0, 1, 1, &match), DRAGOMAN_INVALID_ARGUMENT,
                {"index: 1", "1 matches"});
    check_error(dragoman_result_match(result.get(), 0, 2, 0, &match), DRAGOMAN_INVALID_ARGUMENT, {"sentence: 2"});
    CHECK(dragoman_result_match_count(nullptr, 0, 0) == 0);
    CHECK(dragoman_result_match_count(result.get(), 0, 7) == 0);

    const TempDir folder;
    const std::string path = (folder.path() / "out.tmx").string();
    memory.write_tmx(path);
    dragoman::TranslationMemory again;
    CHECK(again.load_tmx(path) == 2);
    memory.clear();
    CHECK(memory.stats().segments == 0);
    CHECK(memory.stats().entries == 0);
    CHECK(memory.stats().recorded == 0);
}

TEST_CASE("what is wrong with a memory is said") {
    const TempDir folder;
    dragoman_memory* memory = nullptr;
    dragoman::MemoryOptions options;
    const std::string text = folder.write("text", "This is no memory of translations at all.").string();
    options.path = text.c_str();
    check_error(dragoman_memory_create(&options, &memory), DRAGOMAN_IO_ERROR, {"text", "no database"});
    options.path = "/no/such/folder/memory";
    check_error(dragoman_memory_create(&options, &memory), DRAGOMAN_IO_ERROR, {"/no/such/folder/memory"});
    options.path = nullptr;
    options.min_similarity = 1.5f;
    check_error(dragoman_memory_create(&options, &memory), DRAGOMAN_INVALID_ARGUMENT, {"min_similarity", "1.5"});
    options.min_similarity = 0.5f;
    options.record = 2;
    check_error(dragoman_memory_create(&options, &memory), DRAGOMAN_INVALID_ARGUMENT, {"record"});
    CHECK(memory == nullptr);
    REQUIRE(dragoman_memory_create(nullptr, &memory) == DRAGOMAN_OK);
    std::size_t count = 7;
    check_error(dragoman_memory_load_tmx(memory, "/no/such.tmx", &count), DRAGOMAN_IO_ERROR, {"/no/such.tmx"});
    CHECK(count == 0);
    const std::string broken = folder.write("broken.tmx", "<tmx>\n<body>").string();
    check_error(dragoman_memory_load_tmx(memory, broken.c_str(), nullptr), DRAGOMAN_INVALID_ARGUMENT,
                {"broken.tmx", "line 2"});
    check_error(dragoman_memory_write_tmx(memory, "x.tmx"), DRAGOMAN_INVALID_ARGUMENT, {"record"});
    const dragoman_string word = dragoman_str("word"), none = dragoman_str(" ");
    check_error(dragoman_memory_add(memory, "en", "de", &word, &none), DRAGOMAN_INVALID_ARGUMENT, {"two languages"});
    check_error(dragoman_memory_add(memory, "en", "klingonisch", &word, &word), DRAGOMAN_INVALID_ARGUMENT,
                {"klingonisch"});
    check_error(dragoman_memory_add(memory, "en", nullptr, &word, &word), DRAGOMAN_INVALID_ARGUMENT,
                {"target_language"});
    check_error(dragoman_memory_clear(nullptr), DRAGOMAN_INVALID_ARGUMENT, {"memory"});
    dragoman_memory_counts counts;
    dragoman_memory_counts_init(&counts);
    CHECK(dragoman_memory_stats(memory, &counts) == DRAGOMAN_OK);
    CHECK(counts.segments == 0);
    dragoman_memory_destroy(memory);
    dragoman_memory_destroy(nullptr);
}

TEST_CASE("the tool's --memory, --tmx and --write-tmx") {
    const TempDir folder;
    const std::string file = (folder.path() / "memory.sqlite").string(), tmx = folder.write("in.tmx", kTmx).string(),
                      out = (folder.path() / "out.tmx").string();
    const std::string lines = "Where is the station?\nI have a dog.\nI have a dog.\n";
    const auto translate = [&](std::vector<std::string> more, const std::string& input) {
        more.insert(more.begin(), {"translate", "--to", "de", "--stats"});
        const Run done = run(DRAGOMAN_CLI, more, input, "");
        CAPTURE(done.err);
        REQUIRE(done.exit_code == 0);
        return done;
    };
    const std::string plain = translate({}, lines).out;
    const Run first = translate({"--memory", file, "--memory-size", "10MB"}, lines);
    CHECK(first.out == plain);
    CHECK(first.err.find("memory: 0 hits, 0 in the file, 2 misses") != std::string::npos);
    const Run second = translate({"--memory", file, "--write-tmx", out}, lines);
    CHECK(second.out == plain);
    CHECK(second.err.find("memory: 0 hits, 2 in the file, 0 misses") != std::string::npos);
    CHECK(second.err.find("0 sentences, 0 source tokens") != std::string::npos);
    const Run exact = translate({"--tmx", tmx, "--json"}, "Where is the station?\nWhere is the station now?\n");
    const json hypothesis = json::parse(exact.out.substr(0, exact.out.find('\n')))["hypotheses"][0];
    CHECK(hypothesis["text"] == "Wo liegt die Haltestelle?");
    CHECK(hypothesis["sentences"][0]["marks"] == json{"from_memory"});
    const json offered = json::parse(exact.out.substr(exact.out.find('\n') + 1))["hypotheses"][0]["sentences"][0];
    CHECK(offered["matches"][0]["target"] == "Wo liegt die Haltestelle?");
    CHECK(offered["matches"][0]["similarity"].get<float>() == doctest::Approx(5.0 / 6));
    // The written file is read again: two units.
    CHECK(translate({"--tmx", tmx, "--tmx", out}, lines).out == plain);
    const Run refused = run(DRAGOMAN_CLI, {"translate", "--to", "de", "--tmx", file, "x"}, "", "");
    CHECK(refused.exit_code == 2);
    CHECK(refused.err.find("memory.sqlite: TMX, line 1") != std::string::npos);
}

TEST_CASE("a document's translations come from a memory, too") {
    const TempDir folder;
    const std::string page = folder.write("page.html", "<h1>Where is the station?</h1><p>I have <i>a dog</i>.</p>")
                                 .string(),
                      out = (folder.path() / "out.html").string();
    const dragoman::Model model;
    dragoman::Translator translator(model);
    dragoman::TranslationMemory memory;
    memory.read_tmx(kTmx);
    dragoman::TranslateOptions options;
    options.target_language = "de";
    options.memory = memory.get();
    REQUIRE(dragoman_translate_document(translator.get(), page.c_str(), out.c_str(), &options, nullptr) == DRAGOMAN_OK);
    const std::string first = read_file(out);
    CHECK(first.find("<h1>Wo liegt die Haltestelle?</h1>") != std::string::npos);
    CHECK(memory.stats().misses == 1);
    REQUIRE(dragoman_translate_document(translator.get(), page.c_str(), out.c_str(), &options, nullptr) == DRAGOMAN_OK);
    CHECK(read_file(out) == first);
    CHECK(memory.stats().misses == 1);
}

}  // namespace translation_memory_test
