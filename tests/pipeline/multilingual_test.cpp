// SPDX-License-Identifier: Apache-2.0
// Families with many languages, as transformers saves them: texts give the tokens, texts and scores transformers gives.
#include <filesystem>
#include <fstream>
#include <map>

#include "base/error.h"
#include "families/families.h"
#include "families/gguf/gguf_writer.h"
#include "pipeline/compare.h"
#include "support/model_folder.h"
#include "text/token_ranges.h"
#include "text/vocabulary.h"

namespace multilingual_test {

using namespace dragoman;
using nlohmann::json;

namespace {

const std::string kFolder = DRAGOMAN_TEST_DATA "/huggingface/";

json read_json(const std::filesystem::path& path) {
    std::ifstream file(path);
    return json::parse(file);
}

std::shared_ptr<const pipeline::Model> load(const std::string& path) {
    return pipeline::Model::load(path, {.device = {}, .compute_type = pipeline::ComputeType::f32});
}

// Sentences of one pair of languages, by their place in the recording.
std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> by_pair(const json& sentences,
                                                                                const json& results) {
    std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> pairs;
    for (std::size_t r = 0; r < results.size(); ++r) {
        const json& sentence = sentences.at(results[r].at(0).get<std::size_t>());
        pairs[{sentence.at(0), sentence.at(1)}].push_back(r);
    }
    return pairs;
}

void compare_case(pipeline::Translator& translator, const json& sentences, const json& c) {
    pipeline::TranslateOptions options = test::options_from_json(c.at("options"));
    options.return_scores = true;
    const json& results = c.at("results");
    for (const auto& [languages, places] : by_pair(sentences, results)) {
        std::vector<std::string> texts;
        for (const std::size_t r : places) texts.push_back(sentences.at(results[r].at(0).get<std::size_t>()).at(2));
        const std::vector<pipeline::Text> inputs(texts.begin(), texts.end());
        const pipeline::TextOptions text{.split_sentences = false,
                                         .source_language = languages.first,
                                         .target_language = languages.second,
                                         .raw = true};  // as transformers gets them
        const auto found = translator.translate_texts(inputs, text, options);
        REQUIRE(found.size() == texts.size());
        for (std::size_t i = 0; i < places.size(); ++i) {
            CAPTURE(texts[i]);
            const json& expected = results[places[i]];
            REQUIRE(found[i].hypotheses.size() + 1 == expected.size());
            for (std::size_t h = 0; h + 1 < expected.size(); ++h) {
                const json& wanted = expected[h + 1];
                const auto& hypothesis = found[i].hypotheses[h];
                REQUIRE(hypothesis.sentences.size() == 1);
                CHECK(test::joined(hypothesis.tokens(0)) == wanted.at(0).get<std::string>());
                CHECK(hypothesis.text == wanted.at(1).get<std::string>());
                if (wanted.at(2).is_null()) continue;  // greedy search gives none
                const float score = wanted[2];
                CHECK(std::abs(hypothesis.score - score) <= test::kScoreTolerance * std::max(1.0f, std::abs(score)));
            }
        }
    }
}

// The tokens of a recorded sentence, prompt included.
std::string source(const pipeline::Model& model, const json& sentence) {
    const spec::Prompt prompt = *model.prompt(sentence.at(0), sentence.at(1));
    pipeline::Tokens tokens = prompt.source_before;
    const auto pieces = model.tokenize(sentence.at(2).get<std::string>()).tokens;
    for (const auto* part : {&pieces, &prompt.source_after}) tokens.insert(tokens.end(), part->begin(), part->end());
    return test::joined(model.source().tokens(model.source().ids(tokens)));
}

// With the recording of `name`; of its cases, this many.
void compare_model(const std::string& path, const std::string& name, std::size_t most = 100) {
    CAPTURE(path);
    CAPTURE(name);
    const json recorded = read_json(kFolder + name + "/translations.json");
    const auto model = load(path);
    const auto translator = pipeline::Translator::create(model);
    const json& sentences = recorded.at("sentences");
    for (const json& sentence : sentences) {
        CAPTURE(sentence.at(2).get<std::string>());
        CHECK(source(*model, sentence) == sentence.at(3).get<std::string>());
    }
    REQUIRE(recorded.at("cases").size() >= 9);
    REQUIRE(recorded.at("cases").at(0).at("results").size() == 200);
    for (const json& c : recorded.at("cases")) {
        if (most-- == 0) break;
        const std::string options = c.at("options").dump();
        CAPTURE(options);
        compare_case(*translator, sentences, c);
    }
}

// A copy of a recorded model, without some files and with other settings.
class ChangedModel {
public:
    explicit ChangedModel(const std::string& name, std::initializer_list<std::string> without = {}) {
        for (const auto& entry : std::filesystem::directory_iterator(kFolder + name)) {
            const std::string file = entry.path().filename().string();
            if (std::ranges::find(without, file) == without.end())
                std::filesystem::copy_file(entry.path(), folder_.path() / file);
        }
    }
    void set(const std::string& file, const std::string& key, const json& value) {
        json values = read_json(folder_.path() / file);
        if (value.is_null()) values.erase(key);
        else values[key] = value;
        folder_.write(file, values.dump());
    }
    std::string path() const { return folder_.path().string(); }

private:
    test::TempDir folder_;
};

TEST_CASE("M2M-100") { compare_model(kFolder + "m2m100", "m2m100"); }
TEST_CASE("NLLB-200") { compare_model(kFolder + "nllb", "nllb"); }
TEST_CASE("mBART-50") { compare_model(kFolder + "mbart50", "mbart50"); }
TEST_CASE("mBART with 25 languages") { compare_model(kFolder + "mbart25", "mbart25"); }
TEST_CASE("embeddings and projection that are not tied") {
    compare_model(test::ModelFolder("huggingface/untied").path(), "untied");
}
TEST_CASE("BART") { compare_model(kFolder + "bart", "bart"); }

TEST_CASE("tokenizer.json alone serves as well") {
    for (const char* name : {"nllb", "mbart50", "mbart25"})
        compare_model(ChangedModel(name, {"sentencepiece.bpe.model"}).path(), name, 2);
    compare_model(ChangedModel("bart", {"vocab.json", "merges.txt"}).path(), "bart", 2);
}

TEST_CASE("a GGUF file of a model says what the model says") {
    for (const char* name : {"m2m100", "nllb", "mbart50", "mbart25", "bart"}) {
        const test::TempDir folder;
        const std::string file = (folder.path() / "model.gguf").string();
        families::write_gguf(families::load(kFolder + name), file, {});
        compare_model(file, name, 2);
    }
}

TEST_CASE("NLLB's old order of tokens") {
    ChangedModel model("nllb");
    model.set("tokenizer_config.json", "legacy_behaviour", true);
    const auto loaded = load(model.path());
    const auto translator = pipeline::Translator::create(loaded);
    const json recorded = read_json(kFolder + "nllb/legacy.json");
    REQUIRE(recorded.size() >= 15);
    for (const json& line : recorded) {
        CHECK(source(*loaded, line) == line.at(3).get<std::string>());
        compare_case(*translator, json::array({line}),
                     {{"options", {{"beam_size", 4}}}, {"results", json::array({json::array({0, line.at(4)})})}});
    }
}

TEST_CASE("languages of the families") {
    const auto languages = [](const std::string& path) { return families::load(path).languages(); };
    CHECK(languages(kFolder + "m2m100").target.size() == 100);
    CHECK(languages(kFolder + "nllb").target.size() == 202);
    CHECK(languages(kFolder + "mbart50").target.size() == 52);
    CHECK(languages(kFolder + "mbart25").source.size() == 25);
    CHECK(languages(kFolder + "bart").target.empty());
    // Many to one: the target is said by the settings.
    ChangedModel one("mbart50");
    const auto spec = families::load(one.path());
    const auto english = std::ranges::find(spec.target.tokens, "en_XX") - spec.target.tokens.begin();
    one.set("generation_config.json", "forced_bos_token_id", english);
    CHECK(languages(one.path()).target.size() == 1);
    CHECK(languages(one.path()).source.size() == 52);
    CHECK(families::load(one.path()).prompt("de", "").target_begin == pipeline::Tokens{"en_XX"});
    CHECK_THROWS_WITH(families::load(one.path()).prompt("de", "fr"), doctest::Contains("en_XX"));
    // mBART's fine-tuned models start with their language.
    ChangedModel tuned("mbart25");
    const auto plain = families::load(tuned.path());
    const auto romanian = std::ranges::find(plain.target.tokens, "ro_RO") - plain.target.tokens.begin();
    CHECK_FALSE(plain.prompt("en", "ro").decoder_start.has_value());
    CHECK(plain.prompt("en", "ro").target_begin == pipeline::Tokens{"ro_RO"});
    tuned.set("config.json", "decoder_start_token_id", romanian);
    const spec::Prompt prompt = families::load(tuned.path()).prompt("en", "");
    CHECK(prompt.decoder_start == "ro_RO");
    CHECK(prompt.target_begin.empty());
    CHECK(prompt.source_after == pipeline::Tokens{"</s>", "en_XX"});
}

TEST_CASE("a language that is missing or unknown is named with the nearest ones") {
    const auto model = load(kFolder + "nllb");
    const auto translator = pipeline::Translator::create(model);
    const std::vector<pipeline::Text> text{{.text = "stan wall.", .target_prefix = {}}};
    const auto refused = [&](const std::string& from, const std::string& to) {
        try {
            translator->translate_texts(text, {.source_language = from, .target_language = to}, {});
        } catch (const Error& error) {
            CHECK(error.status() == Status::invalid_argument);
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    CHECK(refused("", "de").find("source_language") != std::string::npos);
    CHECK(refused("en", "").find("target_language") != std::string::npos);
    const std::string unknown = refused("en", "deutsh");
    CHECK_MESSAGE(unknown.find("deu_Latn") != std::string::npos, unknown);
    CHECK(refused("tlh", "de").find("source_language: \"tlh\"") != std::string::npos);
    CHECK(refused("en-GB", "de-AT") == "accepted");
    CHECK(refused("eng_Latn", "zh-TW") == "accepted");
}

}  // namespace

}  // namespace multilingual_test
