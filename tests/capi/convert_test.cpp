// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <dragoman/dragoman.hpp>

#include <fstream>

#include "support/run_program.h"
#include "text_model.h"

namespace convert_test {

using namespace dragoman::test;
namespace fs = std::filesystem;

namespace {

bool says(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("dragoman_model_convert writes one file that loads and says what it is") {
    const TempDir folder;
    const std::string out = folder.path() / "m.gguf";
    dragoman::ConvertOptions options;
    CHECK(options.weight_type == DRAGOMAN_WEIGHTS_KEEP);
    CHECK(options.replace == 0);
    std::size_t calls = 0;
    options.progress_user = &calls;
    options.progress = [](std::size_t done, std::size_t total, void* user) -> int32_t {
        ++*static_cast<std::size_t*>(user);
        return done <= total ? 0 : 1;
    };
    options.weight_type = DRAGOMAN_WEIGHTS_F16;
    dragoman::convert_model(kModel, out, options);
    CHECK(calls > 10);
    const dragoman_model_info info = dragoman::describe_model(out), source = dragoman::describe_model(kModel);
    CHECK(std::string(info.format) == "gguf");
    CHECK(std::string(info.family) == source.family);
    CHECK(says(info.stored_types, "float16"));
    CHECK(info.parameters == source.parameters);
    CHECK(info.file_bytes == fs::file_size(out));
    CHECK(info.file_bytes < source.file_bytes);
}

TEST_CASE("dragoman_model_convert refuses what it should") {
    const TempDir folder;
    const std::string out = folder.write("m.gguf", "old");
    dragoman::ConvertOptions options;
    CHECK(dragoman_model_convert(kModel, nullptr, &options) == DRAGOMAN_INVALID_ARGUMENT);
    CHECK(dragoman_model_convert(kModel, "", &options) == DRAGOMAN_INVALID_ARGUMENT);
    CHECK(dragoman_model_convert(kModel, out.c_str(), nullptr) == DRAGOMAN_IO_ERROR);
    CHECK(says(dragoman_last_error(), "it exists"));
    options.weight_type = 5;
    CHECK(dragoman_model_convert(kModel, out.c_str(), &options) == DRAGOMAN_INVALID_ARGUMENT);
    CHECK(says(dragoman_last_error(), "weight_type"));
    options.weight_type = DRAGOMAN_WEIGHTS_KEEP;
    options.replace = 2;
    CHECK(dragoman_model_convert(kModel, out.c_str(), &options) == DRAGOMAN_INVALID_ARGUMENT);
    options.replace = 1;
    options.progress = [](std::size_t, std::size_t, void*) -> int32_t { return 1; };
    CHECK(dragoman_model_convert(kModel, out.c_str(), &options) == DRAGOMAN_CANCELLED);
    CHECK(dragoman_model_convert("/nothing/there", out.c_str(), &options) == DRAGOMAN_IO_ERROR);
    CHECK(read_file(out) == "old");
}

TEST_CASE("heads that align words, from a text") {
    const TempDir folder;
    const TextModel files;
    const std::string out = folder.path() / "aligned.gguf", text = folder.path() / "text";
    dragoman_convert_options options;
    require_ok(dragoman_convert_options_init(&options));
    options.quality_pairs = "a\tb\n";
    check_error(dragoman_model_convert(files.path.c_str(), out.c_str(), &options), DRAGOMAN_INVALID_ARGUMENT,
                {"quality pairs", "200", "1"});
    options.quality_pairs = nullptr;
    options.alignment_text = " ";
    check_error(dragoman_model_convert(files.path.c_str(), out.c_str(), &options), DRAGOMAN_INVALID_ARGUMENT,
                {"alignment text"});
    CHECK_FALSE(std::filesystem::exists(out));
    options.alignment_text = "\xff";
    check_error(dragoman_model_convert(files.path.c_str(), out.c_str(), &options), DRAGOMAN_INVALID_ARGUMENT,
                {"options.alignment_text", "UTF-8"});
    options.alignment_text = "آتزمون آز. آزا.";
    options.target_language = "xx";
    check_error(dragoman_model_convert(files.path.c_str(), out.c_str(), &options), DRAGOMAN_INVALID_ARGUMENT, {"xx"});
    options.target_language = nullptr;
    require_ok(dragoman_model_convert(files.path.c_str(), out.c_str(), &options));
    std::ofstream(text) << options.alignment_text << '\n';
    CHECK(run(DRAGOMAN_CLI, {"convert", files.path, out, "--force", "--alignment-text", text}).exit_code == 0);
    CHECK(run(DRAGOMAN_CLI, {"translate", "--model", out, "--alignment", "pharaoh", "آزا"}).out == "azza\t0-0\n");
    CHECK(says(run(DRAGOMAN_CLI, {"convert", files.path, out, "--alignment-text", text + "x"}).err, "textx"));
    CHECK(run(DRAGOMAN_CLI, {"convert", files.path, out, "--to", "de"}).exit_code == 2);
}

TEST_CASE("dragoman convert") {
    const TempDir folder;
    const std::string out = folder.path() / "m.gguf";
    const auto tool = [&](std::vector<std::string> arguments) { return run(DRAGOMAN_CLI, arguments); };
    const Run written = tool({"convert", kModel, out, "--type", "f32", "--progress"});
    CAPTURE(written.err);
    CHECK(written.exit_code == 0);
    CHECK(says(written.out, "m.gguf: "));
    CHECK(says(written.out, "float32"));
    CHECK(says(written.err, "100 %"));
    const Run again = tool({"convert", kModel, out});
    CHECK(again.exit_code == 1);
    CHECK(says(again.err, "it exists"));
    CHECK(tool({"convert", kModel, out, "--force", "--type", "q8"}).exit_code == 0);
    CHECK(says(tool({"info", out}).out, "gguf"));
    CHECK(tool({"convert", kModel, out, "--type", "q5"}).exit_code == 2);
    CHECK(tool({"convert", kModel}).exit_code == 2);
#ifndef _WIN32
    const Run device = tool({"convert", kModel, "/dev/null", "--force"});  // which cannot be read back
    CHECK_MESSAGE(device.exit_code == 0, device.err);
    CHECK(device.out.empty());
#endif
    const Run translated = tool({"translate", "--model", out, "--tokens", "آ ت ز م و ن"});
    CHECK(translated.out == "a t z m o n\n");
}

}  // namespace convert_test
