// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "fixture.h"
#include "support/run_program.h"

namespace bench_test {

using namespace dragoman::test;
using nlohmann::json;

namespace {

using ReportHandle = std::unique_ptr<dragoman_report, Destroyer<dragoman_report, dragoman_report_destroy>>;

dragoman_bench_options quick() {
    dragoman_bench_options options;
    require_ok(dragoman_bench_options_init(&options));
    options.repeat = 1;
    options.latency_samples = 2;
    options.ceilings = 0;
    options.passes = 0;
    return options;
}

json parsed(const ReportHandle& report) {
    dragoman_string text{};
    require_ok(dragoman_report_json(report.get(), &text));
    CHECK(text.data[text.size] == '\0');
    return json::parse(std::string_view(text.data, text.size));
}

Run bench(std::vector<std::string> arguments) {
    std::vector<std::string> all = {"bench", "--model", kModel, "--repeat", "1", "--latency-samples", "2"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Run result = run(DRAGOMAN_CLI, all, "", with_validation());
    CHECK_MESSAGE(result.err.find("vulkan validation") == std::string::npos, result.err);
    return result;
}

}  // namespace

TEST_CASE("bench options have defaults") {
    dragoman_bench_options options;
    require_ok(dragoman_bench_options_init(&options));
    CHECK(options.struct_size == sizeof options);
    CHECK(options.repeat == 5);
    CHECK(options.latency_samples == 32);
    CHECK(options.synthetic_sentences == 32);
    CHECK(options.synthetic_tokens == 25);
    CHECK(options.ceilings == 1);
    CHECK(options.passes == 1);
}

TEST_CASE("a report of tokens and one of random words") {
    const Sequences sources{kSourceA, kSourceB};
    const dragoman_bench_options options = quick();
    dragoman_report* made = nullptr;
    require_ok(dragoman_bench_tokens(kModel, nullptr, sources.data(), sources.size(), nullptr, &options, &made));
    const json report = parsed(ReportHandle(made));
    CHECK(report["throughput"]["counters"]["sentences"] == 2);
    CHECK(report["throughput"]["counters"]["target_tokens"] == 10);
    CHECK(report["latency"]["seconds"]["count"] == 2);
    CHECK(report["profile"].is_null());

    dragoman_translate_options decoding = default_options();
    decoding.max_decoding_length = 4;
    dragoman_bench_options few = options;
    few.synthetic_sentences = 3;
    require_ok(dragoman_bench_texts(kModel, nullptr, nullptr, 0, &decoding, &few, &made));
    CHECK(parsed(ReportHandle(made))["throughput"]["counters"]["sentences"] == 3);
}

TEST_CASE("texts are translated with their options") {
    const char* const path = DRAGOMAN_TEST_DATA "/huggingface/shared";
    const dragoman_string texts[] = {dragoman_str("batiß. Késora banara!"), dragoman_str("batiß.")};
    const dragoman_bench_options how = quick();
    dragoman_translate_options options = default_options();
    dragoman_report* made = nullptr;
    check_error(dragoman_bench_texts(path, nullptr, texts, 2, &options, &how, &made), DRAGOMAN_INVALID_ARGUMENT,
                {"target_language", "xx, yy"});
    options.target_language = "yy";
    require_ok(dragoman_bench_texts(path, nullptr, texts, 2, &options, &how, &made));
    const json with = parsed(ReportHandle(made))["throughput"]["counters"];
    CHECK(with["sentences"] == 2);
    options.split_sentences = 0;
    require_ok(dragoman_bench_texts(path, nullptr, texts, 1, &options, &how, &made));
    CHECK(parsed(ReportHandle(made))["throughput"]["counters"]["sentences"] == 1);
    options.target_language = "zz";
    made = nullptr;
    check_error(dragoman_bench_texts(path, nullptr, texts, 2, &options, &how, &made), DRAGOMAN_INVALID_ARGUMENT,
                {"target_language", "zz"});
    CHECK(made == nullptr);
}

TEST_CASE("what bench refuses") {
    const Sequences sources{kSourceB};
    dragoman_report* report = nullptr;
    dragoman_bench_options options = quick();
    check_error(dragoman_bench_tokens("", nullptr, nullptr, 0, nullptr, &options, &report), DRAGOMAN_INVALID_ARGUMENT,
                {"path", "empty"});
    check_error(dragoman_bench_tokens(kModel, nullptr, sources.data(), 1, nullptr, &options, nullptr),
                DRAGOMAN_INVALID_ARGUMENT, {"report", "NULL"});
    check_error(dragoman_bench_tokens(kModel, nullptr, nullptr, 1, nullptr, &options, &report),
                DRAGOMAN_INVALID_ARGUMENT, {"sources", "NULL"});
    const dragoman_string text = dragoman_str("text");
    check_error(dragoman_bench_texts(kModel, nullptr, &text, 1, nullptr, &options, &report), DRAGOMAN_UNSUPPORTED,
                {"tokenizer", "aren-transliteration"});
    check_error(dragoman_bench_texts("no/such/model", nullptr, nullptr, 0, nullptr, &options, &report),
                DRAGOMAN_IO_ERROR, {"no/such/model"});
    options.passes = 2;
    check_error(dragoman_bench_tokens(kModel, nullptr, sources.data(), 1, nullptr, &options, &report),
                DRAGOMAN_INVALID_ARGUMENT, {"bench_options.passes", "2"});
    options = quick();
    options.repeat = 0;
    check_error(dragoman_bench_tokens(kModel, nullptr, sources.data(), 1, nullptr, &options, &report),
                DRAGOMAN_INVALID_ARGUMENT, {"repeat", "0"});
    CHECK(report == nullptr);
    dragoman_string json_text{};
    check_error(dragoman_report_json(nullptr, &json_text), DRAGOMAN_INVALID_ARGUMENT, {"report"});
    dragoman_report_destroy(nullptr);
}

TEST_CASE("dragoman bench: a table, JSON, a picture") {
    const TempDir folder;
    const std::string input = folder.write("in.txt", std::string(kSourceA) + "\n\n" + kSourceB + "\n");
    const std::string plot = folder.path() / "plot.png";
    const Run table = bench({"--input", input, "--tokens", "--beam", "1", "--plot", plot});
    CAPTURE(table.err);
    CHECK(table.exit_code == 0);
    for (const char* word :
         {"2 sentences", "10 target tokens", "target tokens/s", "p99", "ceilings", "decoder/output", "MiB"}) {
        CAPTURE(word);
        CHECK(table.out.find(word) != std::string::npos);
    }
    CHECK(read_file(plot).starts_with("\x89PNG"));
    CHECK(read_file(plot).size() > 10'000);

    const Run text = bench({"--synthetic", "2x3", "--max-length", "4", "--json", "--no-ceilings", "--no-passes"});
    CHECK(text.exit_code == 0);
    const json report = json::parse(text.out);
    CHECK(report["throughput"]["counters"]["sentences"] == 2);
    CHECK(report["ceilings"].is_null());
    CHECK(report["profile"].is_null());
}

TEST_CASE("dragoman bench: texts in a language") {
    const TempDir folder;
    const std::string input = folder.write("in.txt", "batiß. Késora banara!\n");
    const auto report = [&](const std::vector<std::string>& languages) {
        std::vector<std::string> all = {"bench",
                                        "--model",
                                        DRAGOMAN_TEST_DATA "/huggingface/shared",
                                        "--input",
                                        input,
                                        "--repeat",
                                        "1",
                                        "--latency-samples",
                                        "0",
                                        "--json",
                                        "--no-ceilings",
                                        "--no-passes"};
        all.insert(all.end(), languages.begin(), languages.end());
        return run(DRAGOMAN_CLI, all);
    };
    const Run coded = report({"--to", "yy", "--from", "en"});
    CHECK_MESSAGE(coded.exit_code == 0, coded.err);
    CHECK(json::parse(coded.out)["throughput"]["counters"]["sentences"] == 2);
    for (const Run& wrong : {report({}), report({"--to", "zz"})}) {
        CHECK(wrong.exit_code == 2);
        CHECK_MESSAGE(wrong.err.find("--to: ") != std::string::npos, wrong.err);
    }
}

TEST_CASE("dragoman bench: usage errors and failures") {
    for (const char* wrong : {"7", "x3", "3x", "0x3", "3x4x5", "-1x2", "ax2"}) {
        CAPTURE(wrong);
        const Run refused = bench({"--synthetic", wrong});
        CHECK(refused.exit_code == 2);
        CHECK(refused.err.find("--synthetic") != std::string::npos);
    }
    CHECK(bench({"--repeat", "0"}).exit_code == 2);
    CHECK(bench({"--input", "no/such/file"}).exit_code == 1);
    const Run no_picture = bench({"--synthetic", "1x1", "--no-passes", "--no-ceilings", "--plot", "no/folder/a.png"});
    CHECK(no_picture.exit_code == 1);
    CHECK(no_picture.err.find("no/folder/a.png") != std::string::npos);
}

}  // namespace bench_test
