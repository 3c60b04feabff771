// SPDX-License-Identifier: Apache-2.0
// Whole texts. What a sentence becomes was recorded from CTranslate2 (toy-text) and transformers (huggingface).
#include "pipeline/run/translator.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.h"
#include "pipeline/recorded.h"
#include "pipeline/stages/stages.h"

namespace text_test {

using namespace dragoman;
using pipeline::Text;
using pipeline::TextOptions;
using pipeline::TextResult;

namespace {

const std::string kToy = DRAGOMAN_TEST_DATA "/toy-text", kCodes = DRAGOMAN_TEST_DATA "/huggingface/shared";

struct Model {
    explicit Model(const std::string& path)
        : recorded(test::read_recorded(path)),
          translator(pipeline::Translator::create(
              pipeline::Model::load(path, {.device = {}, .compute_type = pipeline::ComputeType::f32}))) {}

    // Runs the text as the model reads it.
    TextResult run(std::string_view text, TextOptions text_options = {},
                   pipeline::TranslateOptions options = {.beam_size = 4}) {
        text_options.raw = true;
        return run_by_rules(text, text_options, options);
    }
    // Runs it by the rules of input, unless the options say otherwise.
    TextResult run_by_rules(std::string_view text, const TextOptions& text_options = {},
                            pipeline::TranslateOptions options = {.beam_size = 4}) {
        const Text input{text, {}};
        auto results = pipeline::translate_texts(*translator, {&input, 1}, text_options, options);
        REQUIRE(results.size() == 1);
        check_ranges(text, results[0]);
        return std::move(results[0]);
    }
    std::string best(std::string_view text, const TextOptions& text_options = {}) {
        return run(text, text_options).hypotheses.at(0).text;
    }
    // Ranges follow each other; every hypothesis has every sentence.
    static void check_ranges(std::string_view text, const TextResult& result) {
        std::size_t at = 0;
        for (const auto& sentence : result.sentences) {
            CHECK(sentence.range.begin >= at);
            CHECK(sentence.range.end >= sentence.range.begin);
            at = sentence.range.end;
        }
        CHECK(at <= text.size());
        for (const auto& hypothesis : result.hypotheses) {
            REQUIRE(hypothesis.sentences.size() == result.sentences.size());
            at = 0;
            for (const auto& sentence : hypothesis.sentences) {
                CHECK(sentence.begin >= at);
                at = sentence.range().end;
            }
            CHECK(at <= hypothesis.text.size());
        }
    }

    test::Recorded recorded;
    std::shared_ptr<pipeline::Translator> translator;
};

Model& toy() {
    static Model model(kToy);
    return model;
}

Model& codes() {
    static Model model(kCodes);
    return model;
}

std::string message(Status status, const auto& call) {
    try {
        call();
    } catch (const Error& error) {
        CHECK(error.status() == status);
        return error.what();
    }
    FAIL("no error");
    return "";
}

}  // namespace

TEST_CASE("a document keeps its form, its sentences are translated as if alone") {
    const auto& texts = toy().recorded.texts;
    const char* gaps[] = {" ", "\n", "\r\n\r\n", "\n  - ", "   ", "\n\n\n", "\n\xe2\x80\xa2\t", " \n"};
    std::string source = "\n ", expected = source;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        source += texts[i].text + gaps[i % 8];
        expected += texts[i].translation + gaps[i % 8];
    }
    const TextResult result = toy().run(source);
    CHECK(result.hypotheses.at(0).text == expected);
    REQUIRE(result.sentences.size() == texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        CHECK(text::part(source, result.sentences[i].range) == texts[i].text);
        CHECK(result.sentences[i].tokens() == texts[i].pieces);
        const auto& target = result.hypotheses[0].sentences[i];
        CHECK(text::part(result.hypotheses[0].text, target.range()) == texts[i].translation);
        CHECK_FALSE(result.hypotheses[0].packed_at(i).empty());
    }
}

TEST_CASE("several texts in one call, equal sentences once") {
    const auto& recorded = toy().recorded.texts;
    std::vector<Text> texts;
    std::string all;
    for (int round = 0; round < 50; ++round)
        for (const auto& text : recorded) all += text.text + "\n";
    texts.push_back({all, {}});
    texts.push_back({"", {}});
    texts.push_back({" \n\t", {}});
    for (const auto& text : recorded) texts.push_back({text.text, {}});
    toy().translator->reset_stats();
    std::size_t last = 0, calls = 0;
    const auto results = pipeline::translate_texts(*toy().translator, texts, {}, {.beam_size = 4},
                                                   [&](std::size_t done, std::size_t total) {
                                                       CHECK(total == recorded.size());
                                                       CHECK(done >= last);
                                                       CHECK(done <= total);
                                                       last = done;
                                                       ++calls;
                                                       return true;
                                                   });
    CHECK(calls > 0);
    CHECK(last == recorded.size());
    CHECK(toy().translator->stats().sentences == recorded.size());
    REQUIRE(results.size() == texts.size());
    CHECK(results[0].sentences.size() == 50 * recorded.size());
    CHECK(results[1].hypotheses.at(0).text == "");
    CHECK(results[1].sentences.empty());
    CHECK(results[2].hypotheses.at(0).text == " \n\t");
    for (std::size_t i = 0; i < recorded.size(); ++i)
        CHECK(results[i + 3].hypotheses.at(0).text == recorded[i].translation);
    message(Status::cancelled, [&] {
        pipeline::translate_texts(*toy().translator, texts, {}, {}, [](std::size_t, std::size_t) { return false; });
    });
}

TEST_CASE("text as people send it") {
    CHECK(toy().best("\xef\xbb\xbf"
                     "bara!") == "\xef\xbb\xbf" + toy().best("bara!"));
    CHECK(toy().run_by_rules("ba\xc2\xadra!").hypotheses.at(0).text == toy().best("bara!"));  // raw: a piece of its own
    CHECK(toy().best("min\xc2\xa0min\tmi\xc3\x9f.") == toy().best("min min mi\xc3\x9f."));
    CHECK(toy().best("ke\xcc\x81tira?") == toy().best("k\xc3\xa9tira?"));
    CHECK(toy().best("min\nmin mi\xc3\x9f.", {.join_lines = true}) == toy().best("min min mi\xc3\x9f."));
    CHECK(toy().best("bara!\n\nlotilu.", {.join_lines = true}) == toy().best("bara!") + "\n\n" + toy().best("lotilu."));
    // A script that the model has never seen stays as it is, unless the text is raw.
    CHECK(toy().run_by_rules("日本語。\nbara!\n😀").hypotheses.at(0).text ==
          "日本語。\n" + toy().best("bara!") + "\n😀");
    CHECK(toy().run("日本語").sentences.size() == 1);
    const pipeline::Request unknown{test::source_tokens(toy().translator->model(), "日本語。"), {}};
    const auto direct = toy().translator->translate({&unknown, 1}, {.beam_size = 4});
    CHECK(toy().best("日本語。") == toy().translator->model().detokenize(direct[0].hypotheses[0].tokens).text);
}

TEST_CASE("one sequence on demand") {
    const TextResult result = toy().run("  bara! lotilu. \n", {.split_sentences = false});
    CHECK(result.sentences.size() == 1);
    CHECK(result.sentences[0].range == text::Range{2, 15});
    const pipeline::Request request{test::source_tokens(toy().translator->model(), "bara! lotilu."), {}};
    const auto direct = toy().translator->translate({&request, 1}, {.beam_size = 4});
    CHECK(result.hypotheses.at(0).text ==
          "  " + toy().translator->model().detokenize(direct[0].hypotheses[0].tokens).text + " \n");
}

TEST_CASE("long sentences are translated in parts, nothing is lost") {
    std::string words, word = "bara";
    for (int i = 0; i < 300; ++i) words += i % 10 == 9 ? "lotilu, " : "bara ";
    for (int i = 0; i < 20'000; ++i) word += "ba"[i % 2];
    for (const std::string& text : {words, word}) {
        const TextResult result = toy().run(text, {.max_segment_tokens = 20},
                                            {.beam_size = 1, .max_decoding_length = 40});
        CHECK(result.sentences.size() >= 15);
        std::size_t at = 0;
        for (const auto& sentence : result.sentences) {
            CHECK(sentence.packed.size() <= 20);
            CHECK(text::trim(text, {at, sentence.range.begin}).size() == 0);
            at = sentence.range.end;
        }
        CHECK(text::trim(text, {at, text.size()}).size() == 0);
    }
    CHECK(toy().run(words).sentences.size() >= 3);  // 128 by default
    for (const auto& sentence : toy().run(words, {}, {.beam_size = 1, .max_input_length = 11}).sentences)
        CHECK(sentence.packed.size() <= 11);
    CHECK(toy().run(words, {.max_segment_tokens = 1}, {.beam_size = 1, .max_decoding_length = 4}).sentences.size() >=
          330);
}

TEST_CASE("n-best lists and scores of several sentences") {
    pipeline::TranslateOptions options{
        .beam_size = 4, .num_hypotheses = 3, .return_scores = true, .return_attention = true};
    const TextResult both = toy().run("bara! lotilu.", {}, options);
    const TextResult first = toy().run("bara!", {}, options), second = toy().run("lotilu.", {}, options);
    REQUIRE(both.hypotheses.size() == 3);
    for (std::size_t h = 0; h < 3; ++h) {
        CHECK(both.hypotheses[h].text == first.hypotheses[h].text + " " + second.hypotheses[h].text);
        const auto& parts = both.hypotheses[h].sentences;
        CHECK(parts[0].score == first.hypotheses[h].score);
        CHECK(parts[1].score == second.hypotheses[h].score);
        const std::size_t tokens = both.hypotheses[h].packed_at(1).size();
        CHECK(parts[1].attention.rows == tokens);
        const double n = double(both.hypotheses[h].packed_at(0).size()), m = double(tokens);
        CHECK(both.hypotheses[h].score ==
              doctest::Approx((parts[0].score * n + parts[1].score * m) / (n + m)).epsilon(1e-5));
    }
    CHECK(toy().run("", {}, options).hypotheses.size() == 3);
    // A copied sentence stands in every hypothesis.
    const TextResult mixed = toy().run_by_rules("bara!\n日本", {}, options);
    for (std::size_t h = 0; h < 3; ++h) CHECK(mixed.hypotheses[h].text == first.hypotheses[h].text + "\n日本");
}

TEST_CASE("a prefix belongs to the first sentence") {
    const std::string text = "bara! bara!";
    const auto target = toy().run("lotilu.").hypotheses.at(0).tokens(0);
    const Text input{text, {target.front()}};
    const auto result = pipeline::translate_texts(*toy().translator, {&input, 1}, {}, {.beam_size = 4});
    CHECK(result[0].hypotheses[0].tokens(0).front() == target.front());
    CHECK(result[0].hypotheses[0].tokens(1) == toy().run("bara!").hypotheses[0].tokens(0));
}

TEST_CASE("language codes: asked for, or the text's own") {
    const auto& texts = codes().recorded.texts;  // transformers gave the model letters that it lacks
    const auto best = [](std::string_view text, const std::string& to = {}) {
        return codes().best(text, {.target_language = to, .raw = true});
    };
    for (const auto& recorded : texts) {
        CAPTURE(recorded.text);
        CHECK(best(recorded.text) == recorded.translation);
        const std::string code = recorded.text.substr(2, 2), body = recorded.text.substr(7);
        CHECK(best(body, code) == recorded.translation);
        CHECK(best(body, ">>" + code + "<<") == recorded.translation);
        const std::string other = code == "xx" ? "yy" : "xx";
        CHECK(best(recorded.text, other) == recorded.translation);
        // For all sentences, until another one comes.
        CHECK(best(recorded.text + "\n" + body) == recorded.translation + "\n" + recorded.translation);
        CHECK(best(">>" + other + "<<" + body + "\n" + recorded.text + " " + body)
                  .ends_with("\n" + recorded.translation + " " + recorded.translation));
    }
    const TextResult first = codes().run(texts[0].text);
    CHECK(first.sentences.at(0).range == text::Range{0, texts[0].text.size()});
    CHECK(first.sentences.at(0).tokens() == texts[0].pieces);

    const std::string unknown = message(Status::invalid_argument,
                                        [&] { codes().run("bara.", {.target_language = "zz"}); });
    for (const char* word : {"target_language", "zz", "xx", "yy"}) CHECK(unknown.find(word) != std::string::npos);
    const std::string missing = message(Status::invalid_argument, [&] { codes().run("bara."); });
    CHECK(missing == "target_language: expected one of the model's 2 languages, none was given: xx, yy");
    CHECK(codes().best(" \n") == " \n");  // nothing to translate
    CHECK(message(Status::invalid_argument, [&] {
              toy().run("bara.", {.target_language = "de"});
          }).find("no language codes") != std::string::npos);
}

TEST_CASE("wrong inputs") {
    const Text texts[] = {{"bara!", {}}, {"ab\xc3", {}}};
    const std::string bad = message(Status::invalid_argument,
                                    [&] { pipeline::translate_texts(*toy().translator, texts, {}, {}); });
    CHECK(bad.find("text 1") != std::string::npos);
    CHECK(bad.find("byte 2") != std::string::npos);
    message(Status::invalid_argument, [&] { toy().run("", {}, {.beam_size = 0}); });
}

TEST_CASE("without tokens in the result") {
    const TextResult full = toy().run("bara! lotilu."), lean = toy().run("bara! lotilu.", {.return_tokens = false});
    CHECK(lean.hypotheses[0].text == full.hypotheses[0].text);
    CHECK(lean.sentences[1].packed.empty());
    CHECK(lean.hypotheses[0].tokens(1).empty());
}

TEST_CASE("a text of megabytes") {
    const auto& recorded = toy().recorded.texts;
    std::string source, expected;
    for (std::size_t i = 0; source.size() < 5'000'000; ++i) {
        const auto& text = recorded[i % recorded.size()];
        source += text.text + (i % 7 ? " " : "\n");
        expected += text.translation + (i % 7 ? " " : "\n");
    }
    CHECK(toy().run(source, {.return_tokens = false}).hypotheses.at(0).text == expected);
}

TEST_CASE("unknown tokens are left out where transformers does") {
    CHECK(codes().translator->model().detokenize(pipeline::Tokens{"<unk>", "▁a", "<unk>", "<unk>"}).text == "a");
    CHECK(codes().translator->model().detokenize(pipeline::Tokens{"<unk>"}).text == "");
    CHECK(toy().translator->model().detokenize(pipeline::Tokens{"<unk>"}).text != "");
}

TEST_CASE("what comes between translations") {
    const auto gap = [](std::string_view source, text::Range range, bool same, std::string_view left,
                        std::string_view right) {
        return std::string(pipeline::gap_between(source, range, same, left, right));
    };
    CHECK(gap("Ja. Nein.", {3, 4}, false, "Yes.", "No.") == " ");
    CHECK(gap("Ja. Nein.", {3, 4}, false, "是。", "不。") == "");
    CHECK(gap("是。不。", {6, 6}, false, "Yes.", "No.") == " ");
    CHECK(gap("是。不。", {6, 6}, false, "はい。", "いいえ。") == "");
    CHECK(gap("是。 不。", {6, 7}, false, "是。", "不。") == " ");
    CHECK(gap("Ja. Nein.", {3, 4}, false, "“是。”", "“不。”") == "");
    CHECK(gap("Ja. Nein.", {3, 4}, false, "コーヒー", "ー") == "");
    CHECK(gap("Ja. Nein.", {3, 4}, false, "สวัสดี", "คุณสบายดีไหม") == " ");
    CHECK(gap("是。不。", {6, 6}, false, "สวัสดี", "คุณสบายดีไหม") == " ");
    CHECK(gap("abcdef", {3, 3}, true, "abc", "def") == "");
    CHECK(gap("是，不", {6, 6}, true, "yes,", "no") == " ");
    CHECK(gap("a\nb", {1, 2}, false, "x", "y") == "\n");
    CHECK(gap("a  b", {1, 3}, false, "是", "不") == "  ");
}

}  // namespace text_test
