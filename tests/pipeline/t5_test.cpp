// SPDX-License-Identifier: Apache-2.0
// T5 and its relatives, as transformers saves them, translate texts into the texts, tokens and scores of transformers.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

#include "base/error.h"
#include "families/families.h"
#include "pipeline/compare.h"
#include "support/temp_dir.h"

namespace t5_test {

using namespace dragoman;
using nlohmann::json;

namespace {

constexpr const char* kFolder = DRAGOMAN_TEST_DATA "/t5/";

json recorded(const std::string& name) {
    std::ifstream file(kFolder + name + "/recorded.json");
    return json::parse(file);
}

std::shared_ptr<pipeline::Translator> translator(const std::string& model) {
    return pipeline::Translator::create(
        pipeline::Model::load(kFolder + model, {.device = {}, .compute_type = pipeline::ComputeType::f32}));
}

pipeline::TranslateOptions options(const json& given, uint32_t longest) {
    pipeline::TranslateOptions options{.max_decoding_length = longest, .return_scores = true};
    for (const auto& [key, value] : given.items()) {
        if (key == "num_beams") options.beam_size = value;
        else if (key == "num_return_sequences") options.num_hypotheses = value;
        else if (key == "length_penalty") options.length_penalty = value;
        else if (key == "no_repeat_ngram_size") options.no_repeat_ngram_size = value;
        else if (key == "early_stopping") options.early_stopping = spec::EarlyStopping::on;
        else FAIL(key);
    }
    return options;
}

bool takes_languages(const std::string& name) { return name != "mt5" && name != "umt5" && name != "byt5"; }

void check(const pipeline::Model& model, const pipeline::TextResult& found, const json& item) {
    const std::string text = item.at("text");
    CAPTURE(text);
    REQUIRE(found.sentences.size() == 1);
    pipeline::Tokens source;  // pieces that the vocabulary lacks stay as they are in the text
    for (const std::string& token : found.sentences[0].tokens())
        source.push_back(model.source().token(model.source().id(token)));
    source.push_back(model.eos_token());
    CHECK(test::joined(source) == item.at("source").get<std::string>());
    REQUIRE(found.hypotheses.size() == item.at("tokens").size());
    for (std::size_t h = 0; h < found.hypotheses.size(); ++h) {
        CAPTURE(h);
        const auto& hypothesis = found.hypotheses[h];
        CHECK(hypothesis.text == item["texts"][h].get<std::string>());
        CHECK(test::joined(hypothesis.tokens(0)) == item["tokens"][h].get<std::string>());
        const float score = item["scores"][h];
        CHECK(std::abs(hypothesis.sentences[0].score - score) <=
              test::kScoreTolerance * std::max(1.0f, std::abs(score)));
    }
}

// The recorded texts, in a call for each pair of languages.
std::size_t compare(pipeline::Translator& translator, const json& all, bool languages) {
    std::size_t compared = 0;
    for (const json& one : all.at("cases")) {
        const std::string name = one.at("name");
        CAPTURE(name);
        std::map<std::pair<std::string, std::string>, std::vector<const json*>> pairs;
        for (const json& item : one.at("items")) pairs[{item.at("from"), item.at("to")}].push_back(&item);
        for (const auto& [pair, items] : pairs) {
            std::vector<pipeline::Text> texts;
            for (const json* item : items) texts.push_back({item->at("text").get_ref<const std::string&>(), {}});
            pipeline::TextOptions how{.split_sentences = false, .raw = true};
            if (languages) {
                how.source_language = pair.first;
                how.target_language = pair.second;
            }
            const auto results = translator.translate_texts(texts, how,
                                                            options(one.at("given"), all.at("max_new_tokens")));
            REQUIRE(results.size() == items.size());
            for (std::size_t i = 0; i < items.size(); ++i, ++compared) check(translator.model(), results[i], *items[i]);
        }
    }
    return compared;
}

TEST_CASE("texts of five language pairs for each family agree with transformers") {
    for (const std::string name : {"t5", "t5_v11", "mt5", "umt5", "madlad", "byt5"}) {
        CAPTURE(name);
        const json all = recorded(name);
        const auto model = translator(name);
        CHECK(compare(*model, all, takes_languages(name)) >= 450);
    }
}

TEST_CASE("so do GGUF files of other programs") {
    for (const std::string name : {"t5", "t5_v11"}) {
        CAPTURE(name);
        const auto model = translator(name + ".gguf");
        CHECK(model->model().info().format == "gguf");
        CHECK(model->model().info().family == "T5");
        CHECK(compare(*model, recorded(name), true) >= 450);
    }
}

// The same model with a residual stream `factor` times as large, but for roundings: what comes into a norm may have any
// size.
spec::ModelSpec enlarged(const std::string& name, float factor) {
    spec::ModelSpec spec = families::load(kFolder + name);
    spec::WeightMap weights;
    for (const auto& [key, tensor] : spec.weights.tensors()) {
        auto values = std::make_shared<std::vector<float>>(tensor.elements());
        spec::to_f32(tensor, 0, *values);
        const auto ends = [&](std::string_view end) { return std::string_view(key).ends_with(end); };
        if (ends("/embeddings_0/weight") || ends("/embeddings/weight") || ends("/self_attention/linear_1/weight") ||
            ends("/attention/linear_2/weight") || ends("/ffn/linear_1/weight"))
            for (float& value : *values) value *= factor;
        weights.add(key, {.dtype = DType::f32, .shape = tensor.shape, .bytes = std::as_bytes(std::span(*values))});
        spec.owners.push_back(values);
    }
    for (const auto& [alias, target] : spec.weights.aliases()) weights.alias(alias, target);
    spec.weights = std::move(weights);
    for (spec::StackConfig* stack : {&spec.config.encoder, &spec.config.decoder})
        stack->norm_epsilon *= factor * factor;
    return spec;
}

// `overflowed`: how many of them were searched again in float32.
std::vector<std::string> greedy_texts(const spec::ModelSpec& spec, pipeline::ComputeType type,
                                      uint64_t* overflowed = nullptr) {
    const auto translator = pipeline::Translator::create(
        std::make_shared<pipeline::Model>(spec, pipeline::ModelOptions{.device = {}, .compute_type = type}));
    std::vector<std::string> found;
    const json all = recorded("t5_v11");
    for (const json& item : all.at("cases").at(0).at("items")) {
        if (found.size() == 60) break;
        const pipeline::Text text{item.at("text").get_ref<const std::string&>(), {}};
        const pipeline::TextOptions how{.split_sentences = false,
                                        .source_language = item.at("from"),
                                        .target_language = item.at("to"),
                                        .raw = true};
        const auto result = translator->translate_texts({&text, 1}, how,
                                                        options(json::object(), all.at("max_new_tokens")));
        found.push_back(test::joined(result.at(0).hypotheses.at(0).tokens(0)));
    }
    if (overflowed) *overflowed = translator->stats().repeated_sentences;
    return found;
}

std::size_t same(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) count += a[i] == b.at(i);
    return count;
}

TEST_CASE("sums beyond float16 keep their tokens where weights are float16") {
    using pipeline::ComputeType;
    constexpr float kFactor = 16384.0f;  // sums of 1e5
    const auto expected = greedy_texts(families::load(std::string(kFolder) + "t5_v11"), ComputeType::f32);
    const spec::ModelSpec large = enlarged("t5_v11", kFactor);
    CHECK(large.config.wide_activations);
    CHECK(same(greedy_texts(large, ComputeType::f32), expected) == expected.size());
    if (!engine::Device::shared()->context().caps().f16) {
        std::cout << "skipped: no f16\n";
        return;
    }
    const std::size_t kept = same(greedy_texts(large, ComputeType::f16), expected);
    spec::ModelSpec narrow = large;
    narrow.config.wide_activations = false;
    uint64_t overflowed = 0;
    const std::size_t repeated = same(greedy_texts(narrow, ComputeType::f16, &overflowed), expected);
    std::cout << "float16 weights: " << kept << " of " << expected.size() << " as in float32; with float16 sums "
              << repeated << ", of which " << overflowed << " were searched again\n";
    CHECK(kept * 20 >= expected.size() * 19);
    CHECK(repeated * 20 >= expected.size() * 19);
    CHECK(overflowed * 2 > expected.size());  // the model does exceed float16

    const spec::ModelSpec too_large = enlarged("t5_v11", 1048576.0f);
    CHECK_THROWS_WITH(greedy_texts(too_large, ComputeType::f16), doctest::Contains("which float16 cannot"));
    CHECK(same(greedy_texts(too_large, ComputeType::automatic), expected) == expected.size());  // as float32
}

TEST_CASE("a model that was stored in bfloat16 may exceed float16, others may not") {
    const std::string folder = DRAGOMAN_TEST_DATA "/aren-transliteration-v";
    CHECK(families::load(folder + "5-bfloat16").config.wide_activations);
    CHECK_FALSE(families::load(folder + "4-float16").config.wide_activations);
}

TEST_CASE("T5's conversions to CTranslate2 take texts where a SentencePiece model lies beside them") {
    const test::TempDir folder;
    const std::filesystem::path model = DRAGOMAN_TEST_DATA "/random/t5_gated";
    for (const auto& entry : std::filesystem::directory_iterator(model))
        if (entry.is_regular_file()) std::filesystem::copy_file(entry.path(), folder.path() / entry.path().filename());
    std::filesystem::copy_file(std::string(kFolder) + "t5/spiece.model", folder.path() / "spiece.model");
    std::ifstream vocabulary(model / "shared_vocabulary.json");
    json tokens_there = json::parse(vocabulary);
    const auto pieces = families::load(std::string(kFolder) + "t5").source.tokens;
    for (std::size_t i = 4; i < tokens_there.size(); ++i) tokens_there[i] = pieces.at(i - 1);
    tokens_there.back() = "<extra_id_0>";
    folder.write("shared_vocabulary.json", tokens_there.dump());
    const auto translator =
        pipeline::Translator::create(pipeline::Model::load(folder.path().string(),
                                                           {.device = {}, .compute_type = pipeline::ComputeType::f32}));
    CHECK(translator->model().info().has_tokenizer);
    const pipeline::Text text{"the old dog", {}};
    const auto found = translator
                           ->translate_texts({&text, 1},
                                             {.source_language = "en", .target_language = "de", .raw = true},
                                             {.max_decoding_length = 12})
                           .at(0);
    const auto tokens = found.sentences.at(0).tokens();
    CHECK(tokens.back() == "</s>");
    const auto words = translator->model().tokenize("translate English to German: the old dog").tokens;
    CHECK(pipeline::Tokens(tokens.begin(), tokens.end() - 1) == words);
    const pipeline::Request request{tokens, {}};
    const auto expected = translator->translate({&request, 1}, {.max_decoding_length = 12}).at(0).hypotheses.at(0);
    CHECK(found.hypotheses.at(0).tokens(0) == expected.tokens);
    CHECK(translator->model().detokenize(pipeline::Tokens{"<extra_id_0>", words.at(0)}).text ==
          translator->model().detokenize(pipeline::Tokens{words.at(0)}).text);
    for (const char* hidden : {"<pad>", "</s>"}) CHECK(found.hypotheses[0].text.find(hidden) == std::string::npos);
}

// The reference has unknown tokens for them, as the model's own rules say nothing of these characters.
TEST_CASE("raw texts reach the tokenizer with their control characters") {
    const auto made = translator("t5");
    const std::string given = std::string("the old\xc2\x85") + "dog sees\tthe" + std::string(1, '\0') + " river";
    const auto tokens = [&](bool raw) {
        const pipeline::Text text{given, {}};
        const auto found = made->translate_texts(
            {&text, 1}, {.split_sentences = false, .source_language = "en", .target_language = "de", .raw = raw},
            {.max_decoding_length = 4});
        const auto& sentence = found.at(0).sentences.at(0);
        for (const text::Range& range : sentence.ranges()) CHECK(range.end <= given.size());
        return sentence.tokens();
    };
    const pipeline::Tokens expected = made->model().tokenize("translate English to German: " + given).tokens;
    CHECK(tokens(true) == expected);
    CHECK(std::ranges::count(expected, "\xc2\x85") == 1);
    CHECK(tokens(false) != expected);
}

}  // namespace

}  // namespace t5_test
