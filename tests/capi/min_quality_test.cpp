// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "capi/text_model.h"
#include "support/run_program.h"
#include "support/temp_dir.h"

namespace min_quality_test {

using namespace dragoman::test;
using nlohmann::json;

namespace {

Run tool(std::vector<std::string> arguments, const std::string& input) {
    arguments.insert(arguments.begin(), {"translate", "--to", "de"});
    const Run done = run(DRAGOMAN_CLI, arguments, input, "");
    CAPTURE(done.err);
    REQUIRE(done.exit_code == 0);
    return done;
}

// Each line's only hypothesis.
std::vector<json> hypotheses(const Run& run) {
    std::vector<json> all;
    std::istringstream lines(run.out);
    for (std::string line; std::getline(lines, line);) all.push_back(json::parse(line)["hypotheses"][0]);
    return all;
}

}  // namespace

TEST_CASE("a sentence below min_quality comes back as it was given, with a flag") {
    const TextModel files;
    const ModelHandle model = files.load();
    const TranslatorHandle translator = create_translator(model);
    const std::string source = "آتزمون\nxyz abc\nآزا";
    const dragoman_string text = dragoman_str(source.c_str());
    dragoman_translate_options options = default_options();
    CHECK(options.min_quality == 0);
    options.min_quality = 1;
    dragoman_result* raw = nullptr;
    require_ok(dragoman_translate_texts(translator.get(), &text, 1, nullptr, &options, &raw));
    const ResultHandle result(raw);
    CHECK(text_of(raw, 0) == source);
    for (std::size_t s = 0; s < 3; ++s) {
        dragoman_sentence sentence;
        dragoman_sentence_init(&sentence);
        require_ok(dragoman_result_sentence(raw, 0, 0, s, &sentence));
        // Of the second one the model knows no word, so it was sure to be copied.
        CHECK(sentence.flags ==
              uint32_t(s == 1 ? DRAGOMAN_SENTENCE_COPIED : DRAGOMAN_SENTENCE_COPIED | DRAGOMAN_SENTENCE_UNSURE));
        CHECK((sentence.quality < 1) == (s != 1));
        CHECK(sentence.target_end - sentence.target_begin == sentence.source_end - sentence.source_begin);
    }
    for (const float wrong : {-0.5f, 1.5f, NAN}) {
        options.min_quality = wrong;
        check_error(dragoman_translate_texts(translator.get(), &text, 1, nullptr, &options, &raw),
                    DRAGOMAN_INVALID_ARGUMENT, {"min_quality"});
    }
}

TEST_CASE("the tool's --min-quality") {
    const std::vector<std::string> lines{"The house is big.", "Blorft the gnarl of quux besmeared zyx.",
                                         "I have a dog."};
    std::string input;
    for (const std::string& line : lines) input += line + "\n";
    const std::vector<json> plain = hypotheses(tool({"--json", "--quality"}, input));
    REQUIRE(plain.size() == lines.size());
    std::vector<float> qualities;
    for (const json& one : plain) qualities.push_back(one["quality"].get<float>());
    std::vector<float> sorted = qualities;
    std::ranges::sort(sorted);
    const float least = (sorted[0] + sorted[1]) / 2;
    const std::vector<json> found = hypotheses(tool({"--json", "--min-quality", std::to_string(least)}, input));
    REQUIRE(found.size() == lines.size());
    std::string expected;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool unsure = qualities[i] < least;
        expected += (unsure ? lines[i] : plain[i]["text"].get<std::string>()) + "\n";
        CHECK(found[i]["sentences"][0].value("marks", json::array()) ==
              (unsure ? json({"copied", "unsure"}) : json::array()));
    }
    CHECK(tool({"--min-quality", std::to_string(least)}, input).out == expected);
    const TempDir folder;
    const std::string page = "<p>The house is <b>big</b>.</p>";
    const std::string in = folder.write("page.html", page).string(), out = (folder.path() / "out.html").string();
    tool({"--min-quality", "1", "-i", in, "-o", out}, "");
    CHECK(read_file(out) == page);
    CHECK(run(DRAGOMAN_CLI, {"translate", "--to", "de", "--min-quality", "2", "x"}, "", "").exit_code != 0);
}

}  // namespace min_quality_test
