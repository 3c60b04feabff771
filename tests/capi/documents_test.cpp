// SPDX-License-Identifier: Apache-2.0
// Documents through documents.h and `dragoman translate`.
#include <doctest/doctest.h>

#include <dragoman/documents.hpp>
#include <dragoman/dragoman.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "support/child.h"
#include "support/run_program.h"
#include "support/system.h"
#include "support/temp_dir.h"
#include "support/zip_file.h"
#include "text_model.h"

namespace documents_test {

using namespace dragoman::test;
namespace fs = std::filesystem;

namespace {

const std::string kToy = DRAGOMAN_TEST_DATA "/huggingface/separate";
const std::string kCue = "1\n00:00:01,000 --> 00:00:02,000\n<i>loson lonaß?</i>\n";
const std::string kTranslated = "1\n00:00:01,000 --> 00:00:02,000\n<i>Gaлаx vöpisa?</i>\n";

struct Toy {
    dragoman_model* model = nullptr;
    dragoman_translator* translator = nullptr;
    dragoman_translate_options options;
    Toy() {
        require_ok(dragoman_model_load(kToy.c_str(), nullptr, &model));
        require_ok(dragoman_translator_create(model, &translator));
        require_ok(dragoman_translate_options_init(&options));
        options.beam_size = 4;
    }
    ~Toy() {
        dragoman_translator_destroy(translator);
        dragoman_model_destroy(model);
    }
};

Run tool(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"translate", "--model", kToy, "--beam", "4"});
    return run(DRAGOMAN_CLI, arguments, "", "");
}

}  // namespace

TEST_CASE("a document in memory, with its progress") {
    const Toy toy;
    dragoman_document_options options;
    dragoman_document_options_init(&options);
    std::vector<size_t> seen;
    options.user = &seen;
    options.progress = [](size_t done, size_t total, void* user) -> int32_t {
        static_cast<std::vector<size_t>*>(user)->push_back(done * 100 + total);
        return 0;
    };
    dragoman_document* document = nullptr;
    REQUIRE(dragoman_translate_document_bytes(toy.translator, "x.srt", kCue.data(), kCue.size(), &toy.options, &options,
                                              &document) == DRAGOMAN_OK);
    const dragoman_string bytes = dragoman_document_bytes(document);
    CHECK(std::string(bytes.data, bytes.size) == kTranslated);
    dragoman_document_destroy(document);
    REQUIRE(seen.size() >= 2);
    CHECK(seen.front() == 1);
    CHECK(seen.back() == 101);
}

TEST_CASE("marks follow the model's alignment") {
    const Toy toy;
    const std::string page = "<p>lonan <b>losora</b>!</p>";
    dragoman_document* document = nullptr;
    REQUIRE(dragoman_translate_document_bytes(toy.translator, "x.html", page.data(), page.size(), &toy.options, nullptr,
                                              &document) == DRAGOMAN_OK);
    const std::string written = dragoman_document_bytes(document).data;
    dragoman_document_destroy(document);
    CHECK(written.starts_with("<p>"));
    CHECK(written.find("<b>") != std::string::npos);
    CHECK(written.find("vökuй") != std::string::npos);
}

TEST_CASE("what goes wrong is said, and nothing is written") {
    const Toy toy;
    const TempDir folder;
    const std::string input = folder.write("x.srt", "1\nx\n").string(), output = (folder.path() / "y.srt").string();
    CHECK(dragoman_translate_document(toy.translator, input.c_str(), output.c_str(), &toy.options, nullptr) ==
          DRAGOMAN_INVALID_ARGUMENT);
    CHECK(dragoman_document_error() == input + ": line 2: expected a timing line, got 'x'");
    CHECK_FALSE(fs::exists(output));
    const std::string unknown = folder.write("x.bin", "what").string();
    CHECK(dragoman_translate_document(toy.translator, unknown.c_str(), output.c_str(), &toy.options, nullptr) ==
          DRAGOMAN_UNSUPPORTED);
    const std::string broken = folder.write("x.docx", "what").string();
    CHECK(dragoman_translate_document(toy.translator, broken.c_str(), output.c_str(), &toy.options, nullptr) ==
          DRAGOMAN_INVALID_ARGUMENT);
    CHECK(dragoman_document_error() == broken + ": expected a zip archive, as every docx is, got another file");
    CHECK_FALSE(fs::exists(output));
    const std::string bomb =
        folder.write("bomb.docx", ZipFile().add("a", "").add("word", std::string(8 << 20, ' '), true).bytes()).string();
    CHECK(dragoman_translate_document(toy.translator, bomb.c_str(), output.c_str(), &toy.options, nullptr) ==
          DRAGOMAN_INVALID_ARGUMENT);
    CHECK(std::string(dragoman_document_error()).starts_with(bomb + ": word: expected at most 200 times its packed "));
    CHECK_FALSE(fs::exists(output));
    dragoman_document_options options;
    dragoman_document_options_init(&options);
    options.progress = [](size_t, size_t, void*) -> int32_t { return 1; };
    const std::string good = folder.write("z.srt", kCue).string();
    CHECK(dragoman_translate_document(toy.translator, good.c_str(), output.c_str(), &toy.options, &options) ==
          DRAGOMAN_CANCELLED);
    CHECK_FALSE(fs::exists(output));
    CHECK(dragoman_translate_document(nullptr, good.c_str(), output.c_str(), nullptr, nullptr) ==
          DRAGOMAN_INVALID_ARGUMENT);
}

TEST_CASE("options of other versions") {
    const Toy toy;
    dragoman_document* document = nullptr;
    const auto status = [&](const dragoman_document_options& options) {
        return dragoman_translate_document_bytes(toy.translator, "x.srt", kCue.data(), kCue.size(), &toy.options,
                                                 &options, &document);
    };
    dragoman_document_options options;
    dragoman_document_options_init(&options);
    options.struct_size = 0;
    CHECK(status(options) == DRAGOMAN_INVALID_ARGUMENT);
    CHECK(std::string(dragoman_document_error()).find("struct_size") != std::string::npos);
    options.struct_size = 8;  // up to the format: the rest is not looked at
    options.resume = "/nowhere/at/all";
    CHECK(status(options) == DRAGOMAN_OK);
    dragoman_document_destroy(document);
    dragoman_translate_options shorter = toy.options;
    shorter.struct_size = 64;
    CHECK(dragoman_translate_document_bytes(toy.translator, "x.srt", kCue.data(), kCue.size(), &shorter, nullptr,
                                            &document) == DRAGOMAN_OK);
    dragoman_document_destroy(document);
}

TEST_CASE("documents in C++") {
    const dragoman::Model model(kToy);
    const dragoman::Translator translator(model);
    dragoman::TranslateOptions options;
    options.beam_size = 4;
    CHECK(dragoman::translate_document_bytes(translator, "x.srt", kCue, options) == kTranslated);
    CHECK(dragoman::document_format("a.odt") == "odt");
    CHECK(dragoman::document_format(nullptr, "WEBVTT\n") == "vtt");
    CHECK(dragoman::document_format("a.pdf").empty());
    const TempDir folder;
    const std::string input = folder.write("x", kCue).string(), output = (folder.path() / "y").string();
    std::size_t told = 0;
    dragoman::DocumentOptions how;
    how.format = "srt";
    how.progress = [&](std::size_t done, std::size_t total) {
        told = done * 10 + total;
        return true;
    };
    dragoman::translate_document(translator, input.c_str(), output.c_str(), options, how);
    CHECK(read_file(output) == kTranslated);
    CHECK(told == 11);
    const auto thrown = [&](const dragoman::DocumentOptions& how) {
        try {
            dragoman::translate_document_bytes(translator, nullptr, kCue, options, how);
        } catch (const dragoman::Error& error) {
            return std::string(dragoman_status_name(error.status())) + ": " + error.what();
        } catch (const std::runtime_error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(thrown({.format = "pdf"}) == "invalid_argument: document format: pdf is not known");
    CHECK(thrown({.format = "vtt", .progress = [](std::size_t, std::size_t) { return false; }})
              .starts_with("cancelled: document: cancelled"));
    how.progress = [](std::size_t, std::size_t) -> bool { throw std::runtime_error("mine"); };
    CHECK(thrown(how) == "mine");
    CHECK(thrown({}).starts_with("unsupported: document: expected a document of a format that is known"));
}

TEST_CASE("a stopped document goes on with what was kept") {
    Toy toy;
    const TempDir folder;
    const std::string input = folder.write("x.txt", "loson lonaß?\n\nlonan losora!\n").string();
    const std::string output = (folder.path() / "y.txt").string(), kept = (folder.path() / "kept").string();
    const std::string expected = "Gaлаx vöpisa?\n\nvösa vökuй!\n";
    dragoman_document_options options;
    dragoman_document_options_init(&options);
    options.format = DRAGOMAN_DOCUMENT_TEXT;
    options.resume = kept.c_str();
    const auto translate = [&] {
        require_ok(dragoman_translator_reset_stats(toy.translator));
        return dragoman_translate_document(toy.translator, input.c_str(), output.c_str(), &toy.options, &options);
    };
    const auto sentences = [&] {  // that went through the model
        dragoman_stats stats;
        dragoman_stats_init(&stats);
        require_ok(dragoman_translator_stats(toy.translator, &stats));
        return stats.sentences;
    };
    options.progress = [](size_t done, size_t total, void*) -> int32_t { return done == total; };
    CHECK(translate() == DRAGOMAN_CANCELLED);
    CHECK_FALSE(fs::exists(output));
    CHECK(sentences() == 2);
    options.progress = nullptr;
    const std::string bytes = read_file(kept);

    SUBCASE("all of it") {
        CHECK(translate() == DRAGOMAN_OK);
        CHECK(sentences() == 0);
        CHECK(read_file(output) == expected);
        CHECK_FALSE(fs::exists(kept));
    }
    SUBCASE("as much as was written whole, wherever the program ended") {
        uint64_t most = 2;
        for (std::size_t size = 0; size <= bytes.size(); size += std::min<std::size_t>(97, bytes.size() - size + 1)) {
            CAPTURE(size);
            folder.write("kept", bytes.substr(0, size));
            REQUIRE(translate() == DRAGOMAN_OK);
            CHECK(sentences() <= most);  // the more is kept
            most = sentences();
            CHECK(read_file(output) == expected);
            CHECK_FALSE(fs::exists(kept));
        }
        CHECK(most < 2);
    }
    SUBCASE("nothing that other settings made") {
        const auto refused = [&](const std::string& difference) {
            fs::remove(output);
            CHECK(translate() == DRAGOMAN_INVALID_ARGUMENT);
            const std::string message = dragoman_document_error();
            CHECK_MESSAGE(message.find("kept: the translations in it were made with other settings: " + difference +
                                       "; go on with the same ones, or remove the file to begin anew") !=
                              std::string::npos,
                          message);
            CHECK_FALSE(fs::exists(output));
            CHECK(read_file(kept) == bytes);
        };
        toy.options.beam_size = 3;
        refused("beam_size: 4 then, 3 now");
        toy.options.beam_size = 4;
        const dragoman::Glossary glossary = dragoman::Glossary::read("loson\tvökuй\n");
        toy.options.glossary = glossary.get();
        refused("glossary: none then, one now");
        toy.options.glossary = nullptr;
        CHECK(translate() == DRAGOMAN_OK);
        CHECK(read_file(output) == expected);
    }
    SUBCASE("another file") {
        folder.write("kept", "My notes\n");
        CHECK(translate() == DRAGOMAN_IO_ERROR);
        CHECK(read_file(kept) == "My notes\n");
    }
}

TEST_CASE("a document whose program was killed goes on" * only_posix()) {
    Toy toy;
    const TempDir folder;
    const std::string input = folder.write("x.txt", "loson lonaß?\n\nlonan losora!\n").string();
    const std::string output = (folder.path() / "y.txt").string(), kept = (folder.path() / "kept").string();
    Child child({DRAGOMAN_HELD_DOCUMENT, kToy, input, output, kept});
    REQUIRE(child.shows("the first text is done"));
    child.kill();
    CHECK(child.wait().signal != 0);
    CHECK_FALSE(fs::exists(output));
    dragoman_document_options options;
    dragoman_document_options_init(&options);
    options.resume = kept.c_str();
    REQUIRE(dragoman_translate_document(toy.translator, input.c_str(), output.c_str(), &toy.options, &options) ==
            DRAGOMAN_OK);
    dragoman_stats stats;
    dragoman_stats_init(&stats);
    require_ok(dragoman_translator_stats(toy.translator, &stats));
    CHECK(stats.sentences < 2);
    CHECK(read_file(output) == "Gaлаx vöpisa?\n\nvösa vökuй!\n");
    CHECK_FALSE(fs::exists(kept));
}

TEST_CASE("the tool keeps what is done of a document beside it, and goes on with --resume") {
    Toy toy;
    const TempDir folder;
    const std::string input = folder.write("x.srt", kCue).string(), output = (folder.path() / "y.srt").string();
    const std::string kept = output + ".resume";
    CHECK(tool({input, "-o", output}).exit_code == 0);
    CHECK_FALSE(fs::exists(kept));
    const Run done = tool({input, "-o", output, "--resume"});  // which is complete
    CHECK(done.exit_code == 1);
    CHECK(done.err.find("y.srt is no translation that was stopped; without --resume") != std::string::npos);
    CHECK(read_file(output) == kTranslated);
    fs::remove(output);
    CHECK(tool({input, "-o", output, "--resume"}).exit_code == 0);  // nothing is kept: from the beginning
    CHECK(read_file(output) == kTranslated);

    // What an earlier run has left.
    dragoman_document_options options;
    dragoman_document_options_init(&options);
    options.resume = kept.c_str();
    options.progress = [](size_t done, size_t total, void*) -> int32_t { return done == total; };
    REQUIRE(dragoman_translate_document(toy.translator, input.c_str(), output.c_str(), &toy.options, &options) ==
            DRAGOMAN_CANCELLED);
    const Run other = tool({input, "-o", output, "--resume", "--raw"});
    CHECK(other.exit_code == 1);
    CHECK(other.err.find(
              "y.srt.resume: the translations in it were made with other settings: raw: false then, true now") !=
          std::string::npos);
    const Run goes_on = tool({input, "-o", output, "--resume", "--stats"});
    CHECK(goes_on.exit_code == 0);
    CHECK(read_file(output) == kTranslated);
    CHECK_FALSE(fs::exists(kept));
}

TEST_CASE("dragoman translate takes documents") {
    const TempDir folder;
    const std::string input = folder.write("film.srt", kCue).string(), output = (folder.path() / "out.srt").string();
    CHECK(tool({input, "-o", output}).exit_code == 0);
    CHECK(read_file(output) == kTranslated);
    CHECK(tool({"-i", input, "-o", output + "2"}).exit_code == 0);
    CHECK(read_file(output + "2") == kTranslated);
    CHECK(tool({"no/such.srt", "-o", output + "3"}).err.find("no such file") != std::string::npos);
    CHECK(tool({"--text", "no/such.srt", "-o", output + "3"}).exit_code == 0);
    CHECK(fs::exists(output + "3"));
    CHECK(tool({"--document", "-i", input}).exit_code != 0);  // where to?
    CHECK(tool({"--format", "docx", "-i", input, "-o", output + "4"}).err.find("expected a zip archive") !=
          std::string::npos);
    CHECK_FALSE(fs::exists(output + "4"));
    const std::string pdf = folder.write("x.pdf", "%PDF-1.4\n").string();
    CHECK(tool({pdf, "-o", output + "4"}).err.find("got a PDF; pdftotext says its text") != std::string::npos);
    CHECK_FALSE(fs::exists(output + "4"));
    CHECK(tool({"--format", "pdf", "-i", input, "-o", output + "4"}).err.find("--format: expected") !=
          std::string::npos);
}

}  // namespace documents_test
