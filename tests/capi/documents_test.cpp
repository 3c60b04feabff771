// SPDX-License-Identifier: Apache-2.0
// Documents through documents.h and `dragoman translate`.
#include <doctest/doctest.h>

#include <dragoman/documents.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "process.h"
#include "support/temp_dir.h"
#include "text_model.h"

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
    dragoman_document_options options;
    dragoman_document_options_init(&options);
    options.progress = [](size_t, size_t, void*) -> int32_t { return 1; };
    const std::string good = folder.write("z.srt", kCue).string();
    CHECK(dragoman_translate_document(toy.translator, good.c_str(), output.c_str(), &toy.options, &options) ==
          DRAGOMAN_CANCELLED);
    CHECK_FALSE(fs::exists(output));
    CHECK(dragoman_translate_document(nullptr, good.c_str(), output.c_str(), nullptr, nullptr) == DRAGOMAN_INVALID_ARGUMENT);
}

TEST_CASE("a stopped document goes on with what was kept") {
    const Toy toy;
    const TempDir folder;
    const std::string input = folder.write("x.txt", "loson lonaß?\n\nlonan losora!\n").string();
    const std::string output = (folder.path() / "y.txt").string(), kept = (folder.path() / "kept").string();
    dragoman_document_options options;
    dragoman_document_options_init(&options);
    options.format = DRAGOMAN_DOCUMENT_TEXT;
    options.resume = kept.c_str();
    std::ofstream(kept) << R"({"key":">/4","sentences":[],"target":"kept","text":"loson lonaß?"})" << "\n{\"cut";
    CHECK(dragoman_translate_document(toy.translator, input.c_str(), output.c_str(), &toy.options, &options) == DRAGOMAN_OK);
    CHECK(read_file(output) == "kept\n\nvösa vökuй!\n");
    CHECK_FALSE(fs::exists(kept));
}

TEST_CASE("dragoman translate takes documents, and texts that only look like one") {
    const TempDir folder;
    const std::string input = folder.write("film.srt", kCue).string(), output = (folder.path() / "out.srt").string();
    CHECK(tool({input, "-o", output}).exit_code == 0);
    CHECK(read_file(output) == kTranslated);
    CHECK(tool({"-i", input, "-o", output + "2"}).exit_code == 0);
    CHECK(read_file(output + "2") == kTranslated);
    CHECK(tool({"no/such.srt", "-o", output + "3"}).exit_code == 0);  // a text
    CHECK(fs::exists(output + "3"));
    CHECK(tool({"--document", "-i", input}).exit_code != 0);  // where to?
    CHECK(tool({"--format", "docx", "-i", input, "-o", output + "4"}).err.find("expected a zip archive") != std::string::npos);
    CHECK_FALSE(fs::exists(output + "4"));
    CHECK(tool({"--format", "pdf", "-i", input, "-o", output + "4"}).err.find("--format: expected") != std::string::npos);
}
