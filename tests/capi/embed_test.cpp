// SPDX-License-Identifier: Apache-2.0
// dragoman_embed_texts(), dragoman.hpp's Vectors and `dragoman embed`.
#include <doctest/doctest.h>

#include <cmath>
#include <dragoman/dragoman.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "fixture.h"
#include "tool_run.h"

namespace embed_test {

using namespace dragoman::test;
using nlohmann::json;

namespace {

const std::string kEncoders = DRAGOMAN_TEST_DATA "/encoders/";

json cases_of(const std::string& name) { return json::parse(read_file(kEncoders + name + "/vectors.json")); }

ModelHandle load(const std::string& name) {
    dragoman_model_options options;
    dragoman_model_options_init(&options);
    options.compute_type = DRAGOMAN_COMPUTE_F32;
    dragoman_model* model = nullptr;
    require_ok(dragoman_model_load((kEncoders + name).c_str(), &options, &model));
    return ModelHandle(model);
}

void check_near(std::span<const float> found, const json& expected) {
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(std::abs(found[i] - expected[i].get<double>()) < 1e-4);
}

// In float32, like the recorded vectors.
Run tool(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.begin(), {"embed", "--compute-type", "float32"});
    return run(DRAGOMAN_CLI, arguments, input, "");
}

}  // namespace

TEST_CASE("vectors of texts, and of tokens") {
    const json cases = cases_of("labse");
    const ModelHandle model = load("labse");
    const std::string first = cases[0].at("text"), second = cases[1].at("text");
    const dragoman_string texts[] = {dragoman_str(first.c_str()), dragoman_str(second.c_str())};
    dragoman_vectors* vectors = nullptr;
    require_ok(dragoman_embed_texts(model.get(), texts, 2, nullptr, &vectors));
    CHECK(dragoman_vectors_count(vectors) == 2);
    CHECK(dragoman_vectors_width(vectors) == 20);
    dragoman_matrix rows{}, all{};
    require_ok(dragoman_vectors_all(vectors, &all));
    CHECK(all.rows == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        require_ok(dragoman_vectors_get(vectors, i, &rows));
        CHECK(rows.rows == 1);
        CHECK(rows.data == all.data + i * 20);
        check_near({rows.data, rows.cols}, cases[i].at("model"));
    }
    check_error(dragoman_vectors_get(vectors, 2, &rows), DRAGOMAN_INVALID_ARGUMENT, {"text: 2", "2"});
    dragoman_vectors_destroy(vectors);

    dragoman_embed_options options;
    require_ok(dragoman_embed_options_init(&options));
    options.pooling = DRAGOMAN_POOLING_TOKENS;
    options.normalize = DRAGOMAN_NORMALIZE_OFF;
    require_ok(dragoman_embed_texts(model.get(), texts, 1, &options, &vectors));
    require_ok(dragoman_vectors_get(vectors, 0, &rows));
    check_near({rows.data, rows.rows * rows.cols}, cases[0].at("rows"));
    dragoman_tokens tokens{};
    dragoman_ranges ranges{};
    require_ok(dragoman_vectors_tokens(vectors, 0, &tokens));
    require_ok(dragoman_vectors_ranges(vectors, 0, &ranges));
    CHECK(tokens.count == rows.rows);
    CHECK(ranges.count == rows.rows);
    CHECK(ranges.data[1].begin == 0);
    dragoman_vectors_destroy(vectors);

    require_ok(dragoman_embed_texts(model.get(), nullptr, 0, nullptr, &vectors));
    CHECK(dragoman_vectors_count(vectors) == 0);
    CHECK(dragoman_vectors_width(vectors) == 20);
    dragoman_vectors_destroy(vectors);
    dragoman_vectors_destroy(nullptr);
    CHECK(dragoman_vectors_count(nullptr) == 0);
    CHECK(dragoman_vectors_width(nullptr) == 0);
}

TEST_CASE("arguments of vectors that are wrong") {
    const ModelHandle model = load("xlmr");
    dragoman_vectors* vectors = nullptr;
    const dragoman_string text = dragoman_str("a");
    const auto embed = [&](auto&& change) {
        dragoman_embed_options options;
        require_ok(dragoman_embed_options_init(&options));
        change(options);
        return dragoman_embed_texts(model.get(), &text, 1, &options, &vectors);
    };
    check_error(embed([](auto& o) { o.pooling = 5; }), DRAGOMAN_INVALID_ARGUMENT, {"options.pooling", "5"});
    check_error(embed([](auto& o) { o.normalize = -1; }), DRAGOMAN_INVALID_ARGUMENT, {"options.normalize", "-1"});
    check_error(embed([](auto& o) { o.truncate = 2; }), DRAGOMAN_INVALID_ARGUMENT, {"options.truncate", "2"});
    check_error(embed([](auto& o) { o.reserved = 1; }), DRAGOMAN_INVALID_ARGUMENT, {"options.reserved", "1"});
    check_error(embed([](auto& o) { o.struct_size = 3; }), DRAGOMAN_INVALID_ARGUMENT, {"options.struct_size"});
    check_error(embed([](auto& o) { o.pooling = DRAGOMAN_POOLING_POOLER; }), DRAGOMAN_UNSUPPORTED, {"pooler"});
    check_error(embed([](auto& o) { o.max_tokens = 2; }), DRAGOMAN_INVALID_ARGUMENT, {"text 0", "at most 2 tokens"});
    check_error(embed([](auto& o) { o.progress = [](size_t, size_t, void*) { return 1; }; }), DRAGOMAN_CANCELLED, {});
    const dragoman_string bad = {"a\xff", 2};
    check_error(dragoman_embed_texts(model.get(), &bad, 1, nullptr, &vectors), DRAGOMAN_INVALID_ARGUMENT,
                {"texts[0]", "byte 1"});
    check_error(dragoman_embed_texts(nullptr, &text, 1, nullptr, &vectors), DRAGOMAN_INVALID_ARGUMENT, {"model"});
    check_error(dragoman_embed_texts(model.get(), &text, 1, nullptr, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"vectors"});
    CHECK(vectors == nullptr);
    dragoman_translator* translator = nullptr;
    check_error(dragoman_translator_create(model.get(), &translator), DRAGOMAN_UNSUPPORTED,
                {"encoder-only model", "dragoman embed"});
}

TEST_CASE("vectors in C++") {
    const json cases = cases_of("bert");
    dragoman::ModelOptions in_f32;
    in_f32.compute_type = DRAGOMAN_COMPUTE_F32;
    const dragoman::Model model((kEncoders + "bert").c_str(), in_f32);
    dragoman::EmbedOptions options;
    options.pooling = DRAGOMAN_POOLING_CLS;
    const dragoman::Vectors found(model, cases[3].at("text").get<std::string>(), options);
    CHECK(found.size() == 1);
    CHECK(found.width() == 32);
    check_near(found[0], cases[3].at("cls"));
    CHECK(found.tokens(0).size() == found.ranges(0).size());
    CHECK(found.all().rows == 1);
}

TEST_CASE("dragoman embed: lines, JSON, NumPy") {
    const json cases = cases_of("xlmr");
    const std::string text = cases[0].at("text"), model = kEncoders + "xlmr";
    const std::string line = output(tool({"--model", model, text}));
    CHECK(output(tool({"--model", model}, text + "\n")) == line);
    std::vector<float> values;
    std::istringstream words(line);
    for (float value; words >> value;) values.push_back(value);
    check_near(values, cases[0].at("model"));

    const json object = json::parse(output(tool({"--model", model, "--json", text})));
    CHECK(object.at("text") == text);
    check_near(object.at("vector").get<std::vector<float>>(), cases[0].at("model"));
    const json tokens = json::parse(output(tool({"--model", model, "--json", "--pooling", "tokens", text})));
    CHECK(tokens.at("tokens").size() == cases[0].at("tokens").size());
    CHECK(tokens.at("tokens")[0].at("token") == "<s>");
    CHECK(tokens.at("tokens")[0].at("vector").size() == 32);

    const TempDir folder;
    const std::string file = folder.path() / "v.npy";
    CHECK(output(tool({"--model", model, "--npy", file, text, "a", ""})).empty());
    const std::string npy = read_file(file);
    CHECK(npy.starts_with("\x93NUMPY"));
    CHECK(npy.find("'shape': (3, 32)") != std::string::npos);
    CHECK(npy.size() % 64 == (3 * 32 * 4) % 64);
    CHECK(npy.find('\n') % 64 == 63);
}

TEST_CASE("dragoman embed: the nearest lines, and pairs") {
    const std::string model = kEncoders + "labse";
    const TempDir folder;
    const std::string lines = folder.write("lines.txt", "Der Zug fährt ab.\nWhere is the station?\nabc\n");
    const std::string found = output(tool({"--model", model, "--nearest", lines, "Where is the station?", "abc"}));
    CHECK(found == "1.000000\t2\tWhere is the station?\tWhere is the station?\n1.000000\t3\tabc\tabc\n");
    const json two = json::parse(output(tool({"--model", model, "--nearest", lines, "-n", "2", "--json", "abc"})));
    REQUIRE(two.at("nearest").size() == 2);
    CHECK(two.at("nearest")[0].at("line") == 3);
    CHECK(two.at("nearest")[1].at("cosine").get<double>() < 1.0);
    CHECK(output(tool({"--model", model, "--pairs"}, "abc\tabc\n")) == "1.000000\tabc\tabc\n");
    const Run one = tool({"--model", model, "--pairs"}, "abc\tabc\nabc\n");
    CHECK(one.exit_code == 1);
    CHECK(one.err.find("line 2: expected two texts with a tab between them, got 0 tabs") != std::string::npos);
    const Run many = tool({"--model", model, "--nearest", lines, "--pooling", "tokens", "abc"});
    CHECK(many.exit_code == 2);
    CHECK(tool({"--model", model, "--nearest", lines, "--pairs", "abc"}).exit_code == 2);
    CHECK(tool({"--model", model, "--nearest", folder.path() / "none", "abc"}).exit_code == 1);
    const Run translate = run(DRAGOMAN_CLI, {"translate", "--model", model, "abc"}, "", "");
    CHECK(translate.exit_code == 1);
    CHECK(translate.err.find("dragoman embed") != std::string::npos);
}

TEST_CASE("dragoman embed: errors name the line, and files that are arguments are noted") {
    const std::string model = kEncoders + "labse";
    const TempDir folder;
    std::string lines, pairs, longest;
    for (int i = 0; i < 5; ++i) {
        lines += "abc\n";
        pairs += "abc\tabc\n";
        longest += "Where is the station? ";
    }
    const std::string file = folder.write("lines.txt", lines + longest + "\n"),
                      two = folder.write("pairs.txt", pairs + "abc\t" + longest + "\n");
    for (const std::vector<std::string>& given :
         {std::vector<std::string>{"--input", file}, {"--input", two, "--pairs"}}) {
        std::vector<std::string> arguments{"--model", model, "--batch-size", "4", "--max-tokens", "8"};
        arguments.insert(arguments.end(), given.begin(), given.end());
        const Run run = tool(arguments);
        CHECK(run.exit_code == 2);
        CHECK_MESSAGE(run.err.find(given[1] + ": line 6: expected at most 8 tokens") != std::string::npos, run.err);
        CHECK_MESSAGE(run.err.find("--truncate cuts it") != std::string::npos, run.err);
    }
    const Run named = tool({"--model", model, "--truncate", file});
    CHECK(named.exit_code == 0);
    CHECK_MESSAGE(named.err.find("is a file, and taken as a text; --input " + file) != std::string::npos, named.err);
}

}  // namespace embed_test
