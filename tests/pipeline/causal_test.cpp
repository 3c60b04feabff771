// SPDX-License-Identifier: Apache-2.0
// Decoders alone, as transformers saves them: texts are continued with the tokens, texts and scores transformers gives.
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>

#include "base/error.h"
#include "families/families.h"
#include "families/gguf/gguf_writer.h"
#include "pipeline/compare.h"
#include "support/temp_dir.h"
#include "text/token_ranges.h"
#include "text/vocabulary.h"

namespace causal_test {

using namespace dragoman;
using nlohmann::json;
using pipeline::Request;
using pipeline::Text;
using pipeline::TextResult;
using pipeline::Tokens;
using pipeline::TranslateOptions;

namespace {

const std::string kFolder = DRAGOMAN_TEST_DATA "/huggingface/";
constexpr const char* kNames[] = {"gpt2", "xglm", "opt"};

json read_json(const std::filesystem::path& path) {
    std::ifstream file(path);
    return json::parse(file);
}

json recording(const std::string& name) { return read_json(kFolder + name + "/continuations.json"); }

std::shared_ptr<pipeline::Translator> open(const std::string& path) {
    return pipeline::Translator::create(pipeline::Model::load(path, {.device = {},
                                                                     .compute_type = pipeline::ComputeType::f32}));
}

Tokens split(const std::string& text) {
    Tokens tokens;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        tokens.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return tokens;
}

std::vector<TextResult> continued(pipeline::Translator& translator, const std::vector<std::string>& texts,
                                  const TranslateOptions& options) {
    return translator.translate_texts(std::vector<Text>(texts.begin(), texts.end()), {}, options);
}

void compare_case(pipeline::Translator& translator, const json& texts, const json& c) {
    const TranslateOptions options = test::options_from_json(c.at("options"));
    const json& results = c.at("results");
    std::vector<std::string> given;
    for (const json& result : results) given.push_back(texts.at(result.at(0).get<std::size_t>()).at(0));
    const auto found = continued(translator, given, options);
    REQUIRE(found.size() == given.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        CAPTURE(given[i]);
        REQUIRE(found[i].hypotheses.size() + 1 == results[i].size());
        for (std::size_t h = 0; h + 1 < results[i].size(); ++h) {
            const json& wanted = results[i][h + 1];
            const auto& hypothesis = found[i].hypotheses[h];
            REQUIRE(hypothesis.sentences.size() == 1);
            CHECK(test::joined(hypothesis.tokens(0)) == wanted.at(0).get<std::string>());
            CHECK(hypothesis.text == wanted.at(1).get<std::string>());
            if (wanted.at(2).is_null()) continue;  // greedy search gives none
            CHECK(std::abs(hypothesis.score - wanted[2].get<float>()) <= test::kScoreTolerance);
        }
    }
}

// The tokens that the model gets of a recorded text, with the one in front.
std::string beginning(const pipeline::Model& model, const std::string& text) {
    Tokens tokens = model.tokenize(text).tokens;
    if (model.decoder_start_token()) tokens.insert(tokens.begin(), *model.decoder_start_token());
    if (tokens.empty()) tokens.push_back(model.bos_token());
    return test::joined(model.target().tokens(model.target().ids(tokens)));
}

void compare_model(const std::string& path, const std::string& name, std::size_t most = 100) {
    CAPTURE(path);
    const json recorded = recording(name);
    const auto translator = open(path);
    const json& texts = recorded.at("texts");
    for (const json& text : texts) CHECK(beginning(translator->model(), text.at(0)) == text.at(1).get<std::string>());
    REQUIRE(recorded.at("cases").size() >= 10);
    REQUIRE(recorded.at("cases").at(0).at("results").size() == 100);
    for (const json& c : recorded.at("cases")) {
        if (most-- == 0) break;
        const std::string options = c.at("options").dump();
        CAPTURE(options);
        compare_case(*translator, texts, c);
    }
    std::vector<Request> pairs;
    for (const json& score : recorded.at("scores")) pairs.push_back({split(score.at(0)), split(score.at(1))});
    const auto scores = translator->score(pairs);
    REQUIRE(scores.size() >= 60);
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const json& wanted = recorded.at("scores").at(i).at(2);
        REQUIRE(scores[i].log_probs.size() == wanted.size());
        CHECK(scores[i].tokens.size() == wanted.size());
        for (std::size_t t = 0; t < wanted.size(); ++t)
            CHECK(std::abs(scores[i].log_probs[t] - wanted[t].get<float>()) <= 1e-4f);
    }
}

// A copy of a recorded model without some files.
std::string copy_without(const test::TempDir& folder, const std::string& name, const std::set<std::string>& without) {
    for (const auto& entry : std::filesystem::directory_iterator(kFolder + name))
        if (!without.contains(entry.path().filename().string()))
            std::filesystem::copy_file(entry.path(), folder.path() / entry.path().filename());
    return folder.path().string();
}

TranslateOptions drawn(uint32_t count, uint32_t seed) {
    return {.sampling = spec::Sampling::on,
            .temperature = 1.5f,
            .seed = seed,
            .max_decoding_length = 12,
            .num_hypotheses = count,
            .return_scores = true};
}

std::vector<std::string> texts_of(const TextResult& result) {
    std::vector<std::string> texts;
    for (const auto& hypothesis : result.hypotheses) texts.push_back(hypothesis.text);
    return texts;
}

template <class F>
void check_refused(Status status, const char* part, F&& call) {
    CAPTURE(part);
    try {
        call();
        FAIL("accepted");
    } catch (const Error& error) {
        CHECK(error.status() == status);
        CHECK_MESSAGE(std::string(error.what()).find(part) != std::string::npos, error.what());
    }
}

}  // namespace

TEST_CASE("texts are scored as their tokens are") {
    for (const char* name : kNames) {
        CAPTURE(name);
        const auto translator = open(kFolder + name);
        const pipeline::Model& model = translator->model();
        std::vector<std::string> before, after;
        std::vector<Request> tokens;
        const json recorded = recording(name);
        for (const json& text : recorded.at("texts")) {
            const std::string whole = text.at(0);
            const std::size_t space = whole.find(' ', 1);
            const bool parted = space != std::string::npos && before.size() % 2 == 1;
            before.push_back(parted ? whole.substr(0, space) : "");
            after.push_back(parted ? whole.substr(space) : whole);
            tokens.push_back({model.tokenize(before.back()).tokens, model.tokenize(after.back()).tokens});
        }
        std::vector<pipeline::TextPair> pairs;
        for (std::size_t i = 0; i < before.size(); ++i) pairs.push_back({before[i], after[i]});
        const auto found = translator->score_texts(pairs, {}), wanted = translator->score(tokens);
        for (std::size_t i = 0; i < found.size(); ++i) {
            CHECK(found[i].tokens == wanted[i].tokens);
            REQUIRE(found[i].log_probs.size() == wanted[i].log_probs.size());
            for (std::size_t t = 0; t < wanted[i].log_probs.size(); ++t)  // GPUs: the last bits depend on the batch
                CHECK(std::abs(found[i].log_probs[t] - wanted[i].log_probs[t]) <= 1e-5f);
            REQUIRE(found[i].ranges.size() == found[i].tokens.size());
            for (const text::Range range : found[i].ranges)
                CHECK((range.begin <= range.end && range.end <= after[i].size()));
        }
        const auto cut = translator->score_texts(std::span(pairs).first(20), {.max_input_length = 3});
        for (std::size_t i = 0; i < cut.size(); ++i) {
            CHECK(cut[i].tokens.size() == std::min<std::size_t>(found[i].tokens.size(), 3));
            CHECK(cut[i].ranges.size() == cut[i].tokens.size());
            CHECK(cut[i].tokens.back() == model.eos_token());
        }
        const std::vector<pipeline::TextPair> one{pairs[1]};
        check_refused(Status::invalid_argument, "target_language: de is not allowed",
                      [&] { translator->score_texts(one, {.target_language = "de"}); });
    }
}

TEST_CASE("GPT-2") { compare_model(kFolder + "gpt2", "gpt2"); }
TEST_CASE("XGLM") { compare_model(kFolder + "xglm", "xglm"); }
TEST_CASE("OPT") { compare_model(kFolder + "opt", "opt"); }

TEST_CASE("a continuation loses the blanks before punctuation where the file says so") {
    for (const bool cleans : {false, true}) {
        const test::TempDir folder;
        for (const auto& entry : std::filesystem::directory_iterator(kFolder + "xglm"))
            std::filesystem::copy_file(entry.path(), folder.path() / entry.path().filename());
        json settings = read_json(folder.path() / "tokenizer_config.json");
        settings["clean_up_tokenization_spaces"] = cleans;
        folder.write("tokenizer_config.json", settings.dump());
        const auto model = pipeline::Model::load(folder.path().string(), {.device = {}});
        const Tokens before = split("</s> \u2581grächt");
        CHECK(model->detokenize_behind(before, split("\u2581 . \u2581 t")).text == (cleans ? ". t" : " . t"));
        CHECK(model->detokenize_behind(split("</s> \u2581grächt \u2581"), split(".")).text == ".");
    }
}

TEST_CASE("a decoder alone with tokenizer.json alone") {
    for (const auto& [name, without] :
         std::map<std::string, std::set<std::string>>{{"gpt2", {"vocab.json", "merges.txt"}},
                                                      {"opt", {"vocab.json", "merges.txt"}},
                                                      {"xglm", {"sentencepiece.bpe.model"}}}) {
        const test::TempDir folder;
        compare_model(copy_without(folder, name, without), name, 2);
    }
}

TEST_CASE("a decoder alone with a start of its own in tokenizer_config.json") {
    const test::TempDir folder;
    const std::string path = copy_without(folder, "gpt2", {});
    json settings = read_json(folder.path() / "tokenizer_config.json");
    settings["add_bos_token"] = true;
    folder.write("tokenizer_config.json", settings.dump());
    CHECK(families::load(path).decoder_start_token == "<|endoftext|>");
}

TEST_CASE("a GGUF file of a decoder alone says what the model says") {
    for (const char* name : kNames) {
        const test::TempDir folder;
        const std::string file = (folder.path() / "model.gguf").string();
        families::write_gguf(families::load(kFolder + name), file, {});
        compare_model(file, name, 3);
    }
}

TEST_CASE("a text and its continuation are one text") {
    for (const char* name : kNames) {
        CAPTURE(name);
        const auto translator = open(kFolder + name);
        const json recorded = recording(name);
        for (const json& entry : recorded.at("texts")) {
            const std::string text = entry.at(0);
            const auto found = continued(*translator, {text}, {.beam_size = 1, .max_decoding_length = 10});
            REQUIRE(found.size() == 1);
            const auto& hypothesis = found[0].hypotheses.at(0);
            const pipeline::TranslatedSentence sentence = hypothesis.sentences.at(0);
            CHECK(sentence.range() == text::Range{0, hypothesis.text.size()});
            REQUIRE(hypothesis.ranges(0).size() == hypothesis.packed_at(0).size());
            for (const text::Range at : hypothesis.ranges(0))
                CHECK((at.begin <= at.end && at.end <= hypothesis.text.size()));
            CHECK(found[0].sentences.at(0).range.end == text.size());
            CHECK(sentence.attention.empty());
            CHECK(sentence.quality.empty());
            CHECK(sentence.alignment == text::WordAlignment{});
        }
    }
}

TEST_CASE("continuations do not depend on the other texts, drawn ones neither") {
    const std::vector<std::string> texts = {"wall. gre", "st", "", "d'aisse pai", "chèsse "};
    for (const char* name : kNames) {
        CAPTURE(name);
        const auto translator = open(kFolder + name);
        for (const TranslateOptions& options : {drawn(5, 1), TranslateOptions{.beam_size = 3, .num_hypotheses = 3}}) {
            const auto together = continued(*translator, texts, options);
            std::vector<std::string> reversed(texts.rbegin(), texts.rend());
            reversed.push_back(texts[3]);
            const auto backwards = continued(*translator, reversed, options);
            for (std::size_t i = 0; i < texts.size(); ++i) {
                CHECK(texts_of(continued(*translator, {texts[i]}, options)[0]) == texts_of(together[i]));
                CHECK(texts_of(backwards[4 - i]) == texts_of(together[i]));
            }
            CHECK(texts_of(backwards[5]) == texts_of(together[3]));
        }
        const auto first = texts_of(continued(*translator, texts, drawn(5, 1))[1]);
        CHECK(std::set<std::string>(first.begin(), first.end()).size() > 2);
        CHECK(texts_of(continued(*translator, texts, drawn(5, 2))[1]) != first);
        // Different texts get numbers of their own.
        CHECK(texts_of(continued(*translator, {"st"}, drawn(5, 1))[0]) !=
              texts_of(continued(*translator, {"st st"}, drawn(5, 1))[0]));
    }
}

TEST_CASE("the score of a drawn continuation is what scoring gives it") {
    const auto translator = open(kFolder + "gpt2");
    TranslateOptions options = drawn(4, 3);
    options.top_k = 0;
    options.length_penalty = 0.0f;
    options.return_end_token = true;
    const std::vector<Request> requests = {{split("w all ."), {}}, {split("st"), {}}};
    const auto found = translator->translate(requests, options);
    std::vector<Request> pairs;
    std::vector<float> wanted;
    for (std::size_t i = 0; i < found.size(); ++i)
        for (const auto& hypothesis : found[i].hypotheses) {
            REQUIRE_FALSE(hypothesis.tokens.empty());
            pairs.push_back({requests[i].source, hypothesis.tokens});
            wanted.push_back(hypothesis.score);
        }
    const auto scores = translator->score(pairs);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        float sum = 0;
        REQUIRE(scores[i].log_probs.size() == pairs[i].target_prefix.size() + 1);  // and the end
        for (std::size_t t = 0; t < pairs[i].target_prefix.size(); ++t) sum += scores[i].log_probs[t];
        CAPTURE(test::joined(pairs[i].target_prefix));
        // Temperature does not count in scores.
        CHECK(std::abs(sum - wanted[i]) <= 1e-3f);
    }
}

TEST_CASE("a prefix is forced behind the text, alternatives come after it") {
    const auto translator = open(kFolder + "gpt2");
    const std::vector<Text> text{{.text = "wall.", .target_prefix = split("Ġd ' ou")}};
    const auto plain = translator->translate_texts(text, {}, {.beam_size = 4, .max_decoding_length = 9});
    CHECK(plain[0].hypotheses[0].text.starts_with(" d'ou"));
    const auto several = translator->translate_texts(
        text, {}, {.beam_size = 4, .max_decoding_length = 9, .num_hypotheses = 4, .return_alternatives = true});
    std::set<std::string> seen;
    for (const auto& hypothesis : several[0].hypotheses) {
        CHECK(hypothesis.text.starts_with(" d'ou"));
        seen.insert(hypothesis.tokens(0).at(3));
    }
    CHECK(seen.size() == 4);
}

TEST_CASE("partial results of a continuation go on where the text ends") {
    const auto translator = open(kFolder + "gpt2");
    std::vector<std::string> partial;
    std::mutex mutex;
    pipeline::JobInput input;
    input.texts = true;
    input.documents.push_back({.text = "steen brard b"});
    input.options = {.beam_size = 1, .max_decoding_length = 10};
    pipeline::JobOptions options;
    options.partials = true;
    options.on_event = [&](const pipeline::JobEvent& event) {
        const std::lock_guard lock(mutex);
        if (event.kind == pipeline::JobEvent::Kind::partial) partial.push_back(std::string(event.text));
    };
    const auto job = translator->submit(std::move(input), std::move(options));
    const auto output = job->take();
    const std::string whole = output.texts.at(0).hypotheses.at(0).text;
    REQUIRE(partial.size() > 2);
    for (const std::string& one : partial) CHECK(whole.starts_with(one));
    CHECK(partial.back().size() > 2);
}

TEST_CASE("what a decoder alone has nothing for is refused") {
    const auto translator = open(kFolder + "gpt2");
    const std::vector<Text> text{{.text = "wall.", .target_prefix = {}}};
    const auto with = [&](const char* part, const pipeline::TextOptions& texts, const TranslateOptions& options) {
        check_refused(Status::invalid_argument, part, [&] { translator->translate_texts(text, texts, options); });
    };
    with("source_language: de", {.source_language = "de"}, {});
    with("target_language: de", {.target_language = "de"}, {});
    with("return_attention: 1", {}, {.return_attention = true});
    with("replace_unknowns: 1", {}, {.replace_unknowns = true});
    with("coverage_penalty: 0.5", {}, {.coverage_penalty = 0.5f});
    with("use_shortlist", {}, {.use_shortlist = true});
    with("max_length_factor: 2", {}, {.max_length_factor = 2.0f});
    with("prefix_bias_beta: 0.5", {}, {.search = spec::SearchStyle::ctranslate2, .prefix_bias_beta = 0.5f});
    // 64 positions; the model's own max_length is 40.
    const std::vector<Request> longer{{Tokens(65, "w"), {}}};
    check_refused(Status::invalid_argument, "has 65 tokens, the model has positions for 64",
                  [&] { translator->translate(longer, {.max_decoding_length = 4}); });
    const std::vector<Request> full{{Tokens(40, "w"), {}}};
    check_refused(Status::invalid_argument, "has 40 tokens, the model's max_length allows 40",
                  [&] { translator->translate(full, {}); });
    CHECK(translator->translate(full, {.beam_size = 1, .max_decoding_length = 4}).size() == 1);
    // One token for each position, and one more that needs none.
    const std::vector<Request> last{{Tokens(64, "w"), {}}};
    const auto found = translator->translate(
        last, {.beam_size = 1, .return_end_token = true, .max_decoding_length = 9, .min_decoding_length = 9});
    CHECK(found[0].hypotheses[0].tokens.size() == 1);
}

TEST_CASE("decoders alone predict together") {
    const std::string path = kFolder + "gpt2";
    const auto both = pipeline::Model::load(path, {.compute_type = pipeline::ComputeType::f32,
                                                   .more_models = {path},
                                                   .weights = {0.5f, 0.5f}});
    const auto translator = pipeline::Translator::create(both), alone = open(path);
    const std::vector<std::string> texts = {"wall. gre", "st", "steen brard b"};
    const TranslateOptions options{.beam_size = 4, .max_decoding_length = 12, .return_scores = true};
    const auto found = continued(*translator, texts, options), wanted = continued(*alone, texts, options);
    for (std::size_t i = 0; i < texts.size(); ++i) CHECK(texts_of(found[i]) == texts_of(wanted[i]));
    check_refused(Status::invalid_argument, "vocabulary", [&] {
        pipeline::Model::load(path, {.compute_type = pipeline::ComputeType::f32, .more_models = {kFolder + "bart"}});
    });
}

TEST_CASE("what a decoder alone says of itself") {
    const pipeline::ModelInfo info = pipeline::Model::describe(kFolder + "xglm");
    CHECK(info.family == "XGLM");
    CHECK(info.encoder_layers == 0);
    CHECK(info.decoder_layers == 2);
    CHECK(info.heads == 4);
    CHECK(info.source_vocabulary == 0);
    CHECK(info.has_tokenizer);
    CHECK(info.prompt == "</s> TEXT => TEXT </s>");
    CHECK(pipeline::Model::describe(kFolder + "gpt2").prompt == "TEXT => TEXT <|endoftext|>");
}

}  // namespace causal_test
