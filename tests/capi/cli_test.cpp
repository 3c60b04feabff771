// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/child.h"
#include "support/system.h"
#include "text_model.h"
#include "tool_run.h"

namespace cli_test {

using namespace dragoman::test;
using nlohmann::json;

namespace {

const std::string kModelPath = kModel, kLineA = kSourceA, kLineB = kSourceB;

Run tool(const std::vector<std::string>& arguments, const std::string& input = "",
         const std::string& environment = "") {
    const Run result = run(DRAGOMAN_CLI, arguments, input, with_validation() + environment);
    // The Vulkan layers report through the log, which goes to standard error.
    CHECK_MESSAGE(result.err.find("vulkan validation") == std::string::npos, result.err);
    return result;
}

Run translate(std::vector<std::string> arguments, const std::string& input = "") {
    std::vector<std::string> all = {"translate", "--model", kModelPath, "--tokens"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return tool(all, input);
}

void check_usage(const Run& run, const char* word) {
    CHECK(run.exit_code == 2);
    CHECK(run.out.empty());
    CHECK(run.err.starts_with("dragoman: "));
    CHECK_MESSAGE(run.err.find(word) != std::string::npos, run.err);
}

void check_failure(const Run& run, const char* word) {
    CHECK(run.exit_code == 1);
    CHECK_MESSAGE(run.err.find("dragoman: ") != std::string::npos, run.err);
    CHECK_MESSAGE(run.err.find(word) != std::string::npos, run.err);
}

long lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

}  // namespace

TEST_CASE("arguments, standard input and files give the same lines") {
    const std::string expected = "a t z m o n\n\na z z a\n";
    CHECK(output(translate({kLineA, "", kLineB})) == expected);
    CHECK(output(translate({}, kLineA + "\n\n" + kLineB + "\n")) == expected);
    CHECK(output(translate({"--batch-size", "1"}, kLineA + "\n\n" + kLineB + "\n")) == expected);
    CHECK(output(translate({}, kLineA + "\r\n\r\n" + kLineB)) == "a t z m o n\r\n\r\na z z a\r\n");
    CHECK(output(translate({}, "")).empty());

    const TempDir folder;
    const std::string in = folder.write("in.txt", kLineA + "\n\n" + kLineB + "\n");
    const std::string out = folder.path() / "out.txt";
    CHECK(output(translate({"--input", in})) == expected);
    CHECK(output(translate({"-i", in, "-o", out})).empty());
    CHECK(read_file(out) == expected);
}

TEST_CASE("many lines keep their order across batches") {
    std::string input, expected;
    for (int i = 0; i < 23; ++i) {
        input += (i % 3 == 0 ? kLineA : i % 3 == 1 ? kLineB : "") + "\n";
        expected += i % 3 == 0 ? "a t z m o n\n" : i % 3 == 1 ? "a z z a\n" : "\n";
    }
    for (const char* lines : {"1", "7", "16", "1000"}) {
        CHECK(output(translate({"--batch-size", lines}, input)) == expected);
        const TempDir folder;
        CHECK(output(translate({"--batch-size", lines, "--input", folder.write("in.txt", input)})) == expected);
    }
}

TEST_CASE("an argument in brackets is a text, not a list") {
    CHECK(output(translate({"[" + kLineA + ", " + kLineB + "]", "[]", "[x]", "x"}, kLineA)) ==
          output(translate({}, "[" + kLineA + ", " + kLineB + "]\n[]\n[x]\nx\n")));
    CHECK(lines(output(translate({"--", "[]"}, kLineA + "\n" + kLineA + "\n"))) == 1);
}

TEST_CASE("a line that comes through a named pipe is answered before the next one comes" * only_posix()) {
    const TempDir folder;
    const std::string pipe = folder.path() / "pipe";
    make_named_pipe(pipe);
    Child tool({DRAGOMAN_CLI, "translate", "--model", kModelPath, "--tokens", "--input", pipe});
    std::ofstream in(pipe);
    for (const auto& [source, target] : {std::pair(kLineB, "a z z a"), std::pair(kLineA, "a t z m o n")}) {
        in << source << std::endl;
        CHECK(tool.shows(target + std::string(kLineEnd)));
    }
    in.close();
    CHECK(tool.wait().exit_code == 0);
}

TEST_CASE("at a terminal each line is answered before the next one comes, and Ctrl-C ends it" * not_on_wine()) {
    Child tool({DRAGOMAN_CLI, "translate", "--model", kModelPath, "--tokens"});
    for (int i = 0; i < 2; ++i) {
        tool.type(kLineB + "\n");
        CHECK(tool.shows("a z z a" + std::string(kLineEnd)));
        tool.type(kLineA + "\n");
        CHECK(tool.shows("a t z m o n" + std::string(kLineEnd)));
    }
    tool.type("\x03");
    const End end = tool.wait();
    CAPTURE(tool.output());
    CAPTURE(end.exit_code);
    CHECK(end.signal == SIGINT);
    CHECK(tool.output().find("dragoman:") == std::string::npos);
}

TEST_CASE("the model comes from the environment too") {
    const Run run = tool({"translate", "--tokens", kLineB}, "", "DRAGOMAN_MODEL='" + kModelPath + "'");
    CHECK(output(run) == "a z z a\n");
}

TEST_CASE("n-best, scores, attention as text") {
    const std::string nbest = output(translate({"--beam", "4", "--n-best", "3", "--scores", kLineA, kLineB}));
    CHECK(lines(nbest) == 6);
    CHECK(nbest.starts_with("1\t-0.15"));
    CHECK(nbest.find("\ta t z m o n\n1\t") != std::string::npos);
    CHECK(nbest.find("\ta z z a\n2\t") != std::string::npos);

    const std::string table = output(translate({"--attention", kLineB}));
    CHECK(lines(table) == 6);
    CHECK(table.starts_with("a z z a\n\tآ\tز\tا\na\t"));
    const auto of_head = [](const char* head) {
        return output(translate({"--attention", "--attention-layer", "1", "--attention-head", head, kSourceB}));
    };
    CHECK(of_head("all") != of_head("1"));
    CHECK(of_head("all") == of_head("4294967295"));
}

TEST_CASE("JSON: one object per line") {
    const std::string text = output(translate({"--compute-type", "float32", "--json", "--scores", "--attention",
                                               "--beam", "4", "--n-best", "2", kLineB, ""}));
    REQUIRE(lines(text) == 2);
    const json first = json::parse(text.substr(0, text.find('\n')));
    CHECK(first["source_tokens"] == json({"آ", "ز", "ا"}));
    REQUIRE(first["hypotheses"].size() == 2);
    const json& best = first["hypotheses"][0];
    CHECK(best["tokens"] == json({"a", "z", "z", "a"}));
    CHECK(best["score"].get<double>() == doctest::Approx(-0.150911).epsilon(1e-4));
    REQUIRE(best["attention"].size() == 4);
    CHECK(best["attention"][3].size() == 3);
    CHECK(!best.contains("text"));
    const json second = json::parse(text.substr(text.find('\n') + 1));
    CHECK(second["source_tokens"].empty());
    CHECK(second["hypotheses"][0]["tokens"].empty());
}

TEST_CASE("decoding options") {
    CHECK(output(translate({"--max-length", "3", kLineA})) == "a t z\n");
    CHECK(output(translate({"--min-length", "8", kLineA})).size() == 16);
    CHECK(output(translate({"--prefix", "a t s", kLineA})) == "a t s u m o n\n");
    CHECK(output(translate({"--prefix", "a t s", "--prefix-bias", "0.01", kLineA})) == "a t z m o n\n");
    CHECK(output(translate({"--prefix", "<unk> t", "--replace-unknowns", kLineA})) == "ت t z m o n\n");
    check_refused(translate({"--prefix", "a no t", kLineA}), "--prefix: token \"no\" is not in the model's vocabulary");
    CHECK(output(translate({"--suppress", "o", "--suppress", "t z m", kLineA})) == "a t z u m u n\n");
    CHECK(output(translate({"--end-token", "m", kLineA})) == "a t z\n");
    CHECK(output(translate({"--return-end-token", "--beam", "1", kLineA})) == "a t z m o n </s>\n");
    CHECK(output(translate({"--alternatives", "--n-best", "2", "--prefix", "a t", kLineA})) ==
          "1\ta t z m o n\n1\ta t s u m o n\n");
    CHECK(output(translate({"--search", "marian", "--beam", "1", "--max-length-factor", "0.5", kLineA})) == "a t z\n");
    const std::string marian = output(translate({"--compute-type", "float32", "--search", "marian", "--beam", "2",
                                                 "--word-penalty", "1", "--scores", kLineA}));
    CHECK(std::stof(marian) == doctest::Approx(-1.061750f - 7.0f).epsilon(1e-4));
    CHECK(marian.ends_with("\ta t z m o n\n"));
    CHECK(output(translate({"--search", "huggingface", "--beam", "3", "--early-stopping", "never", kLineA})) ==
          "a t z m o n\n");
    CHECK(output(translate({"--compute-type", "float32", kLineA})) == "a t z m o n\n");
    CHECK(output(translate({"--compute-type", "float32", "--sampling", "on", "--top-k", "1", kLineA})) ==
          output(translate({"--compute-type", "float32", "--beam", "1", kLineA})));
    const std::vector<std::string> drawn = {"--compute-type", "float32", "--sampling",      "on", "--temperature", "3",
                                            "--n-best",       "4",       "--sampling-seed", "7",  kLineA};
    CHECK(output(translate(drawn)) == output(translate(drawn)));
    CHECK(output(translate({"--max-input-length", "3", kLineA})) == output(translate({"آ ت ز"})));
}

TEST_CASE("score rates given translations") {
    const std::string text_model = std::string(DRAGOMAN_TEST_DATA) + "/huggingface/shared";
    const std::string pairs = "batin kétiß kénara!\tfopiй Gasa!\n>>yy<< batiß.\tGaku\n";
    const auto score = [&](std::vector<std::string> more, const std::string& input) {
        std::vector<std::string> all = {"score", "--model", text_model, "--compute-type", "float32"};
        if (more.empty() || more.front() != "--to") all.insert(all.end(), {"--to", "xx"});
        all.insert(all.end(), more.begin(), more.end());
        return tool(all, input);
    };
    const std::string plain = output(score({}, pairs)), words = output(score({"--words"}, pairs));
    CHECK(lines(plain) == 2);
    std::istringstream json_lines(output(score({"--json"}, pairs))), plain_lines(plain), word_lines(words);
    std::string line;
    for (const std::size_t count : {2u, 1u}) {
        REQUIRE(std::getline(json_lines, line));
        const json item = json::parse(line);
        double sum = 0, of_words = 0, value = 0;
        for (const float log_prob : item.at("log_probs")) sum += log_prob;
        CHECK(item.at("score").get<double>() == doctest::Approx(sum));
        CHECK(item.at("tokens").size() == item.at("log_probs").size());
        CHECK(item.at("tokens").back() == "</s>");
        REQUIRE(item.at("words").size() == count);
        REQUIRE(bool(plain_lines >> value));
        CHECK(value == doctest::Approx(sum));
        REQUIRE(bool(word_lines >> value));
        for (const json& word : item.at("words")) {
            of_words += word.at("log_prob").get<double>();
            REQUIRE(bool(word_lines >> value));
            CHECK(value == doctest::Approx(word.at("log_prob").get<double>()));
        }
        CHECK(of_words + item.at("log_probs").back().get<double>() == doctest::Approx(sum));
    }
    const std::string objects = output(score({"--json"}, pairs));
    const json first = json::parse(objects.substr(0, objects.find('\n')));
    const double mean = first.at("score").get<double>() / double(first.at("tokens").size());
    CHECK(std::stod(output(score({"--normalize"}, pairs))) == doctest::Approx(mean));
    CHECK(first.at("words").at(1).at("text") == "Gasa!");
    const Run letters = tool({"score", "--model", kModelPath, "--tokens", "--words"}, kLineA + "\ta t z\n");
    CHECK(std::ranges::count(output(letters), '\t') == 4);
    check_failure(score({}, "no tab\n"), "one tab");
    check_failure(score({}, "a\tb\nc\t\xff\n"), "line 2");
    check_failure(tool({"score", "--model", kModelPath}, "a\tb\n"), "--tokens");
    check_usage(score({"--to", "zz"}, pairs), "zz");
}

TEST_CASE("several models predict together") {
    const auto together = [](std::vector<std::string> arguments) {
        std::vector<std::string> all = {"translate", "--tokens", kLineB, "--models", kModelPath, kModelPath};
        all.insert(all.end(), arguments.begin(), arguments.end());
        return tool(all);
    };
    CHECK(output(together({})) == "a z z a\n");
    CHECK(output(together({"--weights", "0.6", "0.4"})) == "a z z a\n");
    CHECK(output(together({"--weights", "0.6", "0.4", "--average-probabilities"})) == "a z z a\n");
    const auto score = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--json", "--scores", "--beam", "1"});
        return json::parse(output(together(arguments)))["hypotheses"][0]["score"].get<double>();
    };
    const json alone = json::parse(output(translate({"--json", "--scores", "--beam", "1", kLineB})));
    CHECK(score({"--weights", "0.6", "0.4"}) ==
          doctest::Approx(alone["hypotheses"][0]["score"].get<double>()).epsilon(1e-4));
    check_usage(together({"--weights", "0.6"}), "expected 2 numbers");
    check_usage(together({"--weights", "0.6", "-0.4"}), "got -0.4");
    check_usage(together({"--model", kModelPath}), "--model");
    check_usage(translate({"--weights", "1", "--", kLineB}), "--models");
    check_usage(translate({"--average-probabilities", kLineB}), "--average-probabilities");
}

TEST_CASE("statistics and log lines go to standard error") {
    const Run run = translate({"--stats", kLineA, kLineB});
    CHECK(output(run) == "a t z m o n\na z z a\n");
    CHECK(run.err.find("2 sentences, 9 source tokens") != std::string::npos);
    CHECK(run.err.find("0 padding tokens") != std::string::npos);
    const Run verbose = tool({"-vv", "translate", "--model", kModelPath, "--tokens", kLineB});
    CHECK(output(verbose) == "a z z a\n");
    CHECK_MESSAGE((verbose.err.find("dragoman: info: ") != std::string::npos ||
                   verbose.err.find("dragoman: debug: ") != std::string::npos),
                  verbose.err);
}

TEST_CASE("wrong usage: exit code 2") {
    check_usage(tool({"fly"}), "fly: no such command");
    check_usage(translate({"--no-such-option"}), "--no-such-option");
    check_usage(translate({"--beam", "many", kLineA}), "--beam");
    check_usage(translate({"--beam", "0", kLineA}), "--beam");
    check_usage(translate({"--n-best", "3", "--beam", "2", kLineA}), "--n-best");
    check_usage(translate({"--compute-type", "float7", kLineA}), "float7");
    check_usage(translate({"--search", "fairseq", kLineA}), "fairseq");
    check_usage(translate({"--early-stopping", "on", kLineA}), "--early-stopping");
    check_usage(translate({"--word-penalty", "1", kLineA}), "--word-penalty");
    check_usage(translate({"--top-k", "5", kLineA}), "--top-k");
    check_usage(translate({"--sampling", "on", "--top-p", "2", kLineA}), "--top-p");
    check_usage(translate({"--batch-size", "0", kLineA}), "--batch-size");
    check_usage(translate({"--input", "x", kLineA}), "--input");
    check_usage(translate({"--end-token", "oovtoken", kLineA}), "oovtoken");
    check_usage(tool({"info", kModelPath, kModelPath}), kModelPath.c_str());
}

TEST_CASE("failures: exit code 1 and a sentence on standard error") {
    check_failure(translate({"--input", "/no/such/file"}), "/no/such/file");
    check_failure(translate({"--output", "/no/such/folder/file", kLineA}), "/no/such/folder/file");
    check_failure(tool({"translate", "--model", "/no/such/model", "--tokens", "x"}), "/no/such/model");
    check_failure(tool({"info", "/no/such/model"}), "/no/such/model");
    check_failure(translate({"--device", "no such device", kLineA}), "no such device");
    check_failure(tool({"translate", "--model", kModelPath, "text"}), "--tokens");

    const TempDir folder;
    const std::string same = folder.write("same", "content\n");
    check_failure(translate({"--input", same, "--output", same}), "is the input");
    CHECK(read_file(same) == "content\n");
}

TEST_CASE("a warning about a model's files comes once") {
    const TempDir folder;
    for (const auto& entry : std::filesystem::directory_iterator(DRAGOMAN_TEST_DATA "/huggingface/shared"))
        std::filesystem::copy_file(entry.path(), folder.path() / entry.path().filename());
    std::string config = read_file(folder.path() / "config.json");
    folder.write("config.json", config.insert(config.find('{') + 1, "\"foo_x\": 1,"));
    for (const std::vector<std::string>& words : {std::vector<std::string>{"info"}, {"-v", "info"}}) {
        std::vector<std::string> whole = words;
        whole.push_back(folder.path().string());
        const auto done = tool(whole);
        const std::size_t first = done.err.find("warning: ");
        REQUIRE(first != std::string::npos);
        CHECK(done.err.find("foo_x", first) != std::string::npos);
        CHECK(done.err.find("foo_x") == done.err.rfind("foo_x"));
    }
}

TEST_CASE("a full disk under standard output is a failure" * only_posix()) {
    if (!std::filesystem::exists("/dev/full")) return;
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"devices"}, {"devices", "--json"}, {"info", kModelPath}})
        CHECK(run_into("/dev/full", DRAGOMAN_CLI, words) == 1);
}

TEST_CASE("an output file is opened with the first translation") {
    const TempDir folder;
    const std::string kept = folder.write("kept", "content\n"), made = folder.path() / "made";
    for (const std::string& out : {kept, made}) {
        check_usage(translate({"--beam", "0", "-o", out, kLineA}), "--beam");
        check_failure(tool({"translate", "--model", "/no/such/model", "--tokens", "-o", out, "x"}), "/no/such/model");
        check_failure(translate({"--device", "no such device", "-o", out, kLineA}), "no such device");
        check_failure(translate({"--input", "/no/such/file", "-o", out}), "/no/such/file");
        check_failure(translate({"-o", out}, "\xff\n"), "line 1: invalid UTF-8");
    }
    CHECK(read_file(kept) == "content\n");
    CHECK_FALSE(std::filesystem::exists(made));
    // No lines are translated to none.
    CHECK(output(translate({"-o", kept}, "")).empty());
    CHECK(read_file(kept).empty());
    CHECK(output(translate({"-o", made}, "")).empty());
    CHECK(read_file(made).empty());
}

TEST_CASE("a line that is not UTF-8 is named, the lines before it are translated") {
    const Run run = translate({}, kLineA + "\n" + kLineB + "\nab\xff\n" + kLineA + "\n");
    check_failure(run, "line 3: invalid UTF-8 at byte 2");
    CHECK(run.out == "a t z m o n\na z z a\n");
    const TempDir folder;
    const std::string file = folder.write("bad.txt", "\xc3\n");
    check_failure(translate({"--input", file}), "bad.txt: line 1: invalid UTF-8 at byte 0");
}

TEST_CASE("an argument that is not UTF-8 is named" * only_posix()) {  // Windows' arguments are UTF-16
    check_failure(translate({"x", "\xed\xa0\x80"}), "argument 2: invalid UTF-8");
}

TEST_CASE("a line that cannot be translated is left out or copied, and no other with it") {
    std::string many;
    for (int i = 0; i < 100; ++i) many += "ab ";
    const std::string lines[] = {"a", "b\xff", "b", many, "ab", "\xc3"};
    std::string input;
    for (const std::string& line : lines) input += line + "\n";
    const auto with = [&](std::vector<std::string> more) {
        std::vector<std::string> all = {"translate", "--model", DRAGOMAN_TEST_DATA "/toy-text", "--no-split"};
        all.insert(all.end(), more.begin(), more.end());
        return tool(all, input);
    };
    const auto alone = [&](const std::string& line) {
        return output(tool({"translate", "--model", DRAGOMAN_TEST_DATA "/toy-text", "--no-split", line}));
    };
    const std::string a = alone("a"), b = alone("b"), ab = alone("ab");
    const Run stopped = with({});
    check_failure(stopped, "line 2: invalid UTF-8 at byte 1");
    CHECK(stopped.out == a);
    for (const char* size : {"1", "4096"}) {
        const Run skipped = with({"--on-error", "skip", "--batch-size", size});
        CHECK(output(skipped) == a + b + ab);
        for (const char* word : {"line 2: invalid UTF-8 at byte 1; left out", "line 6: invalid UTF-8 at byte 0"})
            CHECK_MESSAGE(skipped.err.find(word) != std::string::npos, skipped.err);
        CHECK_MESSAGE(skipped.err.find("line 4: source has ") != std::string::npos, skipped.err);
        CHECK(skipped.err.find("line 5") == std::string::npos);
        const Run copied = with({"--on-error", "copy", "--batch-size", size});
        CHECK(output(copied) == a + lines[1] + "\n" + b + many + "\n" + ab + lines[5] + "\n");
    }
    const std::string json_lines = output(with({"--on-error", "copy", "--json"}));
    std::istringstream stream(json_lines);
    std::vector<json> parsed;
    for (std::string line; std::getline(stream, line);) parsed.push_back(json::parse(line));
    REQUIRE(parsed.size() == 6);
    CHECK(parsed[3]["error"].get<std::string>().starts_with("line 4: source has "));
    CHECK(parsed[4]["source"] == "ab");
    check_usage(with({"--on-error", "never"}), "--on-error");
}

TEST_CASE("info and devices, as text and JSON") {
    CHECK(output(tool({"info", kModelPath})).find("ctranslate2, TransformerBase") != std::string::npos);
    const json info = json::parse(output(tool({"info", kModelPath, "--json"})));
    CHECK(info["d_model"] == 32);
    CHECK(info["target_vocabulary"] == 43);
    CHECK(info["has_tokenizer"] == false);
    const json devices = json::parse(output(tool({"devices", "--json"})));
    REQUIRE(devices.size() > 0);
    const std::string name = devices[0]["name"];
    CHECK(devices[0]["uuid"].get<std::string>().size() == 32);
    CHECK(output(tool({"devices"})).find(name) != std::string::npos);
    CHECK(output(translate({"--device", "0", kLineB})) == "a z z a\n");
}

TEST_CASE("info tells languages with tag, code and name") {
    const std::string model = DRAGOMAN_TEST_DATA "/huggingface/shared";
    const json info = json::parse(output(tool({"info", model, "--json"})));
    REQUIRE(info["target_languages"].size() == 2);
    CHECK(info["target_languages"][0] == json{{"tag", "und"}, {"code", "xx"}, {"name", "xx"}});
    const json shipped = json::parse(output(tool({"info", "--json"})));
    bool german = false;
    for (const json& language : shipped["target_languages"])
        german |= language["tag"] == "de" && language["name"] == "German";
    CHECK(german);
    CHECK(output(tool({"info"})).find("de, German") != std::string::npos);
}

TEST_CASE("options of the device") {
    const TempDir folder;
    const std::string cache = folder.path() / "cache";
    CHECK(output(translate({"--cache-dir", cache, "--memory-limit", "512MB", "--validation", kLineB})) == "a z z a\n");
    CHECK_FALSE(std::filesystem::is_empty(cache));
    CHECK(output(translate({"--cache-dir", "-", kLineB})) == "a z z a\n");
    const Run small = translate({"--memory-limit", "1KB", kLineB});
    CHECK(small.exit_code == 1);
    CHECK(small.out.empty());
    check_usage(translate({"--memory-limit", "much", kLineB}), "--memory-limit");
    check_usage(translate({"--tune", "much", kLineB}), "--tune");
}

TEST_CASE("a load measures kernels, or does not, as --tune says") {
    const auto measured = [](const char* tune) -> std::string {
        const Run run = tool({"translate", "--model", kModelPath, "--tokens", "--tune", tune, kLineB}, "",
                             "DRAGOMAN_GPU_KERNELS=1 DRAGOMAN_LOG=debug");
        CHECK(output(run) == "a z z a\n");
        const auto found = run.err.find("kernels are measured for at most 2 s, ");
        return found == std::string::npos ? "no" : run.err.substr(found).substr(38, 3);
    };
    CHECK(measured("on") == "now");
    CHECK(measured("off") == "no");
    CHECK(measured("auto") == "mos");  // in the background
}

TEST_CASE("texts as JSON: tokens have ranges, languages are tags or codes") {
    const TextModel files;
    const std::string text =
        output(tool({"translate", "--model", files.path, "--json", "--from", "ar-EG", "آزا\nآتزمون"}));
    const json line = json::parse(text);
    CHECK(line["source"] == "آزا\nآتزمون");
    CHECK(line["source_tokens"].size() == 9);
    CHECK(line["source_ranges"].size() == 9);
    CHECK(line["source_ranges"][3] == json({7, 9}));
    const json& best = line["hypotheses"][0];
    CHECK(best["text"] == "azza\natzmon");
    CHECK(best["ranges"].size() == best["tokens"].size());
    CHECK(best["ranges"][4] == json({5, 6}));
    CHECK(best["sentences"][1]["source_tokens"] == json({3, 9}));
    check_usage(tool({"translate", "--model", files.path, "--to", "no tag", "آزا"}), "--to");
}

TEST_CASE("paragraphs keep their place, and those before a bad line are translated") {
    const TextModel files;
    const auto join = [&](const std::string& input) {
        return tool({"translate", "--model", files.path, "--join-lines"}, input);
    };
    CHECK(output(join("آزا\n\n \nآزا\n")) == "azza\n\n \nazza\n");
    const Run bad = join("آزا\n\nآزا\n\xff\n");
    check_failure(bad, "line 4: invalid UTF-8 at byte 0");
    CHECK(bad.out == "azza\n\nazza\n");
}

TEST_CASE("no Vulkan loader, no such device") {
    const std::string no_loader = "DRAGOMAN_VULKAN_LOADER=/no/such/library";
    const std::vector<std::string> translation = {"translate", "--model", kModelPath, "--tokens", kLineB};
    check_failure(tool({"devices"}, "", no_loader), "/no/such/library");
    check_failure(tool(translation, "", no_loader), "/no/such/library");
    check_failure(tool(translation, "", "DRAGOMAN_DEVICE='no such device'"), "no such device");
    // Reading files needs no device.
    CHECK(output(tool({"info", kModelPath}, "", no_loader)).find("ctranslate2") != std::string::npos);
}

TEST_CASE("no Vulkan driver" * not_on_wine()) {
    const std::string no_driver = "VK_ICD_FILENAMES=/no/such.json VK_DRIVER_FILES=/no/such.json";
    check_failure(tool({"translate", "--model", kModelPath, "--tokens", kLineB}, "", no_driver), "no Vulkan device");
    CHECK(json::parse(output(tool({"devices", "--json"}, "", no_driver))).empty());
    CHECK(output(tool({"info", kModelPath}, "", no_driver)).find("ctranslate2") != std::string::npos);
}

TEST_CASE("version and help") {
    CHECK(output(tool({"--version"})) == "dragoman " DRAGOMAN_PROJECT_VERSION "\n");
    CHECK(output(tool({"--help"})).find("translate") != std::string::npos);
    CHECK(output(tool({"translate", "--help"})).find("--beam") != std::string::npos);
}

TEST_CASE("dragoman continue goes on with texts") {
    const std::string model = DRAGOMAN_TEST_DATA "/huggingface/gpt2";
    const auto goes_on = [&](std::vector<std::string> arguments, const std::string& input = "") {
        std::vector<std::string> all = {"continue", "--model", model, "--beam", "1", "--max-length", "16"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        return tool(all, input);
    };
    const std::string expected = "? d'ouque chèsse d'èl?\nord?!\n";
    CHECK(output(goes_on({"end ", "st"})) == expected);
    CHECK(output(goes_on({}, "end \nst\n")) == expected);
    CHECK(lines(output(goes_on({}, "end \n\nst\n"))) == 3);  // a blank line is a text
    CHECK(output(goes_on({"--tokens", "e n d Ġ"})) == "? Ġd ' ouque ĠchÃ¨sse Ġd ' Ã¨l ?\n");
    const json line = json::parse(output(goes_on({"--json", "--scores", "end "})));
    CHECK(line["source"] == "end ");
    CHECK(line["hypotheses"][0]["text"] == "? d'ouque chèsse d'èl?");
    CHECK(line["hypotheses"][0]["score"].get<double>() < 0);
    CHECK(lines(output(goes_on({"--sampling", "on", "--n-best", "3", "--sampling-seed", "5", "st"}))) >= 3);

    check_failure(tool({"translate", "--model", model, "x"}), "use dragoman continue");
    check_failure(tool({"continue", "--model", kModelPath, "--tokens", "x"}), "use dragoman translate");
    check_usage(goes_on({"--to", "de", "x"}), "--to");
    check_usage(goes_on({"--attention", "x"}), "--attention");
    const std::string info = output(tool({"info", model}));
    CHECK(info.find("decoder-only: continues and scores texts") != std::string::npos);
    CHECK(info.find("encoder") == std::string::npos);
    CHECK(json::parse(output(tool({"info", model, "--json"})))["encoder_layers"] == 0);
}

}  // namespace cli_test
