// SPDX-License-Identifier: Apache-2.0
// Vectors of texts against transformers (tests/tools/make_encoder_models.py): encoders alone, and those of models that
// translate.
#include "pipeline/run/embed.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "engine/device.h"
#include "pipeline/run/translator.h"
#include "support/lose_device.h"
#include "support/refused.h"
#include "support/same_results.h"
#include "support/temp_dir.h"
#include "text/vocabulary.h"

namespace embed_test {

using namespace dragoman;
using nlohmann::json;
using pipeline::EmbedOptions;
using pipeline::Embeddings;
using spec::Pooling;
using test::check_refused;

namespace {

const std::filesystem::path kData = DRAGOMAN_TEST_DATA;
constexpr double kTolerance = 1e-4;

json read_json(const std::filesystem::path& path) {
    std::ifstream file(path);
    return json::parse(file);
}

std::shared_ptr<const pipeline::Model> load(const std::filesystem::path& path) {
    return pipeline::Model::load(path.string(), {.device = {}, .compute_type = pipeline::ComputeType::f32});
}

std::shared_ptr<const pipeline::Model> encoder(const char* name) { return load(kData / "encoders" / name); }

std::vector<std::string> texts_of(const json& cases) {
    std::vector<std::string> texts;
    for (const json& c : cases) texts.push_back(c.at("text"));
    return texts;
}

Embeddings embed(const pipeline::Model& model, const std::vector<std::string>& texts, const EmbedOptions& options) {
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    return pipeline::embed_texts(model, views, options);
}

// The largest difference.
double difference(const std::vector<float>& found, const json& expected) {
    REQUIRE(found.size() == expected.size());
    double largest = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
        largest = std::max(largest, std::abs(found[i] - expected[i].get<double>()));
    return largest;
}

// Tokens are those of transformers; an unknown one is spelt as in the text.
void compare_tokens(const pipeline::Model& model, const pipeline::Embedding& found, const json& expected) {
    REQUIRE(found.tokens.size() == expected.size());
    for (std::size_t t = 0; t < expected.size(); ++t)
        CHECK(model.source().token(model.source().id(found.tokens[t])) == expected[t].get<std::string>());
    CHECK(found.ranges.size() == expected.size());
}

// All that was recorded of one kind.
std::size_t compare(const pipeline::Model& model, const json& cases, const std::string& kind, EmbedOptions options) {
    CAPTURE(kind);
    const Embeddings found = embed(model, texts_of(cases), options);
    std::size_t compared = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (!cases[i].contains(kind)) continue;
        CAPTURE(cases[i].at("text"));
        compare_tokens(model, found.texts[i], cases[i].at("tokens"));
        CHECK(difference(found.texts[i].values, cases[i].at(kind)) < kTolerance);
        ++compared;
    }
    return compared;
}

std::size_t compare_all(const pipeline::Model& model, const json& cases, EmbedOptions options = {}) {
    std::size_t compared = 0;
    for (const auto& [kind, pooling] : {std::pair{"mean", Pooling::mean}, std::pair{"cls", Pooling::first},
                                        std::pair{"rows", Pooling::tokens}, std::pair{"pooler", Pooling::pooler}}) {
        if (pooling == Pooling::pooler && !cases[0].contains(kind)) continue;
        options.pooling = pooling;
        options.normalize = false;
        compared += compare(model, cases, kind, options);
    }
    options.pooling = {};
    options.normalize = {};
    if (cases[0].contains("model")) compared += compare(model, cases, "model", options);
    return compared;
}

// A model's folder with some files left out, or written anew.
class Changed {
public:
    Changed(const char* name, const std::vector<std::string>& left_out, const std::string& file = {},
            const std::string& content = {}) {
        const auto from = kData / "encoders" / name;
        std::filesystem::copy(from, folder_.path(),
                              std::filesystem::copy_options::recursive |
                                  std::filesystem::copy_options::overwrite_existing);
        for (const std::string& each : left_out) std::filesystem::remove_all(folder_.path() / each);
        if (!file.empty()) std::ofstream(folder_.path() / file) << content;
    }
    const std::filesystem::path& path() const { return folder_.path(); }

private:
    test::TempDir folder_;
};

}  // namespace

TEST_CASE("BERT's vectors are those of transformers") {
    const json cases = read_json(kData / "encoders/bert/vectors.json");
    const auto model = encoder("bert");
    CHECK(compare_all(*model, cases) >= 3 * 60);
    const Embeddings plain = embed(*model, {"Where is the station?"}, {});
    const Embeddings mean = embed(*model, {"Where is the station?"}, {.pooling = Pooling::mean});
    CHECK(plain.texts[0].values == mean.texts[0].values);
}

TEST_CASE("a sentence encoder's vectors: first token, dense layer, normalised") {
    const json cases = read_json(kData / "encoders/labse/vectors.json");
    CHECK(compare_all(*encoder("labse"), cases) >= 4 * 60);
}

TEST_CASE("XLM-R's vectors, with a SentencePiece model and with tokenizer.json alone") {
    const json cases = read_json(kData / "encoders/xlmr/vectors.json");
    CHECK(compare_all(*encoder("xlmr"), cases) >= 3 * 60);
    const Changed alone("xlmr", {"sentencepiece.bpe.model"});
    CHECK(compare_all(*load(alone.path()), cases) >= 3 * 60);
}

TEST_CASE("vectors of the encoders of models that translate") {
    CHECK(compare_all(*load(kData / "huggingface/shared"), read_json(kData / "encoders/marian.json")) >= 80);
    CHECK(compare_all(*load(kData / "huggingface/m2m100"), read_json(kData / "encoders/m2m100.json"),
                      {.source_language = "de"}) >= 80);
    CHECK(compare_all(*load(kData / "t5/t5"), read_json(kData / "encoders/t5.json"),
                      {.source_language = "en", .target_language = "de"}) >= 80);
}

TEST_CASE("normalised vectors have a length of 1, and a text's vector does not depend on its neighbours") {
    const auto model = encoder("bert");
    std::vector<std::string> texts = texts_of(read_json(kData / "encoders/bert/vectors.json"));
    const Embeddings together = embed(*model, texts, {.normalize = true});
    const Embeddings plain = embed(*model, texts, {});
    for (std::size_t i = 0; i < texts.size(); ++i) {
        double squares = 0;
        for (const float value : together.texts[i].values) squares += double(value) * value;
        CHECK(squares == doctest::Approx(1.0).epsilon(1e-6));
        const Embeddings alone = embed(*model, {texts[i]}, {});
        for (std::size_t c = 0; c < alone.width; ++c)
            CHECK(alone.texts[0].values[c] == doctest::Approx(plain.texts[i].values[c]).epsilon(1e-5));
    }
    CHECK(embed(*model, {}, {}).texts.empty());
    CHECK(model->info().prompt == "[CLS] TEXT [SEP]");
    CHECK(model->info().decoder_layers == 0);
}

TEST_CASE("float16 is near float32") {
    const json cases = read_json(kData / "encoders/labse/vectors.json");
    const auto device = engine::Device::shared();
    if (!device->context().caps().f16) return;
    const auto model = pipeline::Model::load((kData / "encoders/labse").string(),
                                             {.device = device, .compute_type = pipeline::ComputeType::f16});
    const Embeddings found = embed(*model, texts_of(cases), {});
    for (std::size_t i = 0; i < cases.size(); ++i)
        CHECK(difference(found.texts[i].values, cases[i].at("model")) < 2e-2);
}

TEST_CASE("token ranges are the bytes of the text") {
    const std::string text = "Größe? e\u0301a";
    for (const char* name : {"bert", "labse", "xlmr"}) {
        const auto model = encoder(name);
        const Embeddings found = embed(*model, {text}, {.pooling = Pooling::tokens});
        const pipeline::Embedding& one = found.texts[0];
        REQUIRE(one.tokens.size() == one.ranges.size());
        CHECK(one.values.size() == one.tokens.size() * found.width);
        CHECK(one.ranges.front().size() == 0);
        CHECK(one.ranges.back() == text::Range{text.size(), text.size()});
        std::string covered;
        for (const text::Range range : one.ranges) covered += text::part(text, range);
        CHECK(covered == "Größe?e\u0301a");
    }
}

TEST_CASE("special tokens in a text are words of it") {
    for (const auto& [name, text] : {std::pair{"bert", "a [SEP] b"}, std::pair{"xlmr", "a </s> b"}}) {
        const auto found = embed(*encoder(name), {text}, {}).texts[0];
        CHECK(std::ranges::count(found.tokens, encoder(name)->eos_token()) == 1);
        CHECK(found.tokens.back() == encoder(name)->eos_token());
    }
}

TEST_CASE("a language code before a text is the prompt's token") {
    const auto model = load(kData / "huggingface/shared");
    const auto inside = embed(*model, {">>xx<< batin kén."}, {}).texts[0];
    const auto asked = embed(*model, {"batin kén."}, {.target_language = "xx"}).texts[0];
    CHECK(inside.tokens == asked.tokens);
    CHECK(inside.values == asked.values);
    CHECK(inside.ranges[0] == text::Range{0, 6});
}

TEST_CASE("texts that are too long are refused, or cut") {
    const auto model = encoder("xlmr");  // max_seq_length 128, 160 positions
    std::string text;
    for (int i = 0; i < 400; ++i) text += "駅 ";
    check_refused(Status::invalid_argument, {"text 1: expected at most 128 tokens", "truncate"},
                  [&] { embed(*model, {"a", text}, {}); });
    const Embeddings cut = embed(*model, {text}, {.pooling = Pooling::tokens, .truncate = true});
    CHECK(cut.texts[0].tokens.size() == 128);
    CHECK(cut.texts[0].tokens.back() == "</s>");
    const Embeddings short_ones = embed(*model, {text},
                                        {.pooling = Pooling::tokens, .max_tokens = 5, .truncate = true});
    CHECK(short_ones.texts[0].tokens.size() == 5);
    check_refused(Status::invalid_argument, {"text 0: expected at most 1 tokens"},
                  [&] { embed(*model, {"a"}, {.max_tokens = 1, .truncate = true}); });
}

TEST_CASE("what cannot be: no pooler, no tokenizer, invalid UTF-8, translating, joining") {
    const auto xlmr = encoder("xlmr");
    check_refused(Status::unsupported, {"pooling", "expected mean, cls or tokens", "pooler"},
                  [&] { embed(*xlmr, {"a"}, {.pooling = Pooling::pooler}); });
    check_refused(Status::invalid_argument, {"text 1", "expected UTF-8, byte 2"},
                  [&] { embed(*xlmr, {"a", "ab\xff"}, {}); });
    check_refused(Status::unsupported, {"an encoder-only model", "dragoman embed"},
                  [&] { pipeline::Translator translator(xlmr); });
    const auto tokens_only = load(kData / "aren-transliteration");
    check_refused(Status::unsupported, {"no tokenizer"}, [&] { embed(*tokens_only, {"a"}, {}); });
    const std::string shared = (kData / "huggingface/shared").string();
    const auto ensemble = pipeline::Model::load(shared, {.more_models = {shared}});
    check_refused(Status::unsupported, {"ensemble"}, [&] { embed(*ensemble, {"a"}, {}); });
    check_refused(Status::unsupported, {"an encoder-only model"}, [&] {
        pipeline::Model::load((kData / "encoders/bert").string(),
                              {.more_models = {(kData / "encoders/bert").string()}});
    });
}

TEST_CASE("cancelled by the progress callback; threads beside each other") {
    const auto model = encoder("bert");
    const std::vector<std::string_view> texts(100, "Where is the station?");
    std::size_t calls = 0;
    check_refused(Status::cancelled, {"cancelled"}, [&] {
        pipeline::embed_texts(*model, texts, {}, [&](std::size_t, std::size_t) { return ++calls < 10; });
    });
    CHECK(calls == 10);
    std::vector<Embeddings> results(3);
    {
        std::vector<std::jthread> threads;
        for (Embeddings& result : results)
            threads.emplace_back([&] { result = pipeline::embed_texts(*model, texts, {}); });
    }
    for (const Embeddings& result : results) CHECK(result.texts[99].values == results[0].texts[0].values);
}

// Several devices, all on the first physical one.
TEST_CASE("several devices take part, in any number of lost ones but all, and vectors are those of one") {
    std::vector<std::string> spelled;
    for (std::size_t i = 0; i < 1200; ++i) {
        std::string text = "Where is the station?";
        for (std::size_t more = 0; more < i % 7; ++more) text += " Thank you very much!";
        spelled.push_back(i % 400 == 5 ? "" : text);
    }
    const std::vector<std::string_view> texts(spelled.begin(), spelled.end());
    const auto open = [](const char* names) {
        return engine::Device::open({.device = names, .tuning = vulkan::TuningMode::off});
    };
    const auto load_on = [](const std::shared_ptr<engine::Device>& device) {
        return pipeline::Model::load((kData / "encoders/bert").string(),
                                     {.device = device, .compute_type = pipeline::ComputeType::f32});
    };
    const Embeddings expected = pipeline::embed_texts(*load_on(open("0")), texts, {});
    for (const std::size_t lost : {0u, 1u, 2u}) {
        CAPTURE(lost);
        const auto device = open("0,0,0");
        REQUIRE(device->others().size() == 2);
        const auto model = load_on(device);
        std::vector<engine::Device*> devices{device.get(), device->others()[0].get(), device->others()[1].get()};
        std::vector<uint64_t> before;
        for (engine::Device* each : devices) before.push_back(each->context().stats().submissions);
        for (std::size_t i = 0; i < lost; ++i) {
            devices[i]->set_open_again([](const vulkan::Context&) -> std::shared_ptr<vulkan::Context> {
                fail(Status::device_lost, "gone for good");
            });
            test::Losses::lose_at(devices[i]->context(), 2 + i);
        }
        const auto caller = std::this_thread::get_id();
        std::size_t done = 0;
        const Embeddings found = pipeline::embed_texts(*model, texts, {}, [&](std::size_t now, std::size_t all) {
            CHECK(std::this_thread::get_id() == caller);
            CHECK(now == ++done);
            return all == texts.size();
        });
        CHECK(done == texts.size());
        std::size_t others = 0;
        for (std::size_t i = 0; i < texts.size(); ++i)
            others += !test::same_results(device->context(), found.texts[i].values, expected.texts[i].values);
        CHECK(others == 0);
        for (std::size_t i = 0; i < devices.size(); ++i) {
            CAPTURE(i);
            CHECK(devices[i]->context().stats().submissions > before[i]);
        }
        // A text alone goes to a device that is there.
        for (std::size_t i = 0; i < 4; ++i) {
            const Embeddings alone = pipeline::embed_texts(*model, std::span(texts).subspan(i, 1), {});
            CHECK(test::same_results(device->context(), alone.texts[0].values, expected.texts[i].values));
        }
    }
}

TEST_CASE("what stops vectors on several devices: the progress callback, and the loss of all") {
    const auto device = engine::Device::open({.device = "0,0", .tuning = vulkan::TuningMode::off});
    const auto model = pipeline::Model::load((kData / "encoders/bert").string(),
                                             {.device = device, .compute_type = pipeline::ComputeType::f32});
    const std::vector<std::string_view> texts(1500, "Where is the station? Thank you!");
    std::size_t calls = 0;
    check_refused(Status::cancelled, {"cancelled"}, [&] {
        pipeline::embed_texts(*model, texts, {}, [&](std::size_t, std::size_t) { return ++calls < 10; });
    });
    CHECK(calls == 10);
    for (engine::Device* each : {device.get(), device->others()[0].get()}) {
        each->set_open_again([](const vulkan::Context&) -> std::shared_ptr<vulkan::Context> {
            fail(Status::device_lost, "gone for good");
        });
        test::Losses::lose_at(each->context(), 2);
    }
    check_refused(Status::device_lost, {"VK_ERROR_DEVICE_LOST"}, [&] { pipeline::embed_texts(*model, texts, {}); });
    check_refused(Status::device_lost, {"VK_ERROR_DEVICE_LOST"},
                  [&] { pipeline::embed_texts(*model, {texts.data(), 1}, {}); });
}

TEST_CASE("files of sentence-transformers are heeded or refused by name") {
    const auto refuse = [](Status status, std::initializer_list<const char*> words, const char* file,
                           const std::string& content) {
        const Changed changed("labse", {}, file, content);
        check_refused(status, words, [&] { load(changed.path()); });
    };
    refuse(Status::unsupported, {"1_Pooling", "pooling_mode", "max"}, "1_Pooling/config.json",
           R"({"pooling_mode_max_tokens": true})");
    refuse(Status::unsupported, {"pooling_mode", "cls", "mean"}, "1_Pooling/config.json",
           R"({"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": true})");
    refuse(Status::unsupported, {"modules.json", "LSTM"}, "modules.json",
           R"([{"path": "", "type": "x.Transformer"}, {"path": "1_Pooling", "type": "x.Pooling"},
               {"path": "2_LSTM", "type": "x.LSTM"}])");
    refuse(Status::unsupported, {"modules.json", "expected Pooling"}, "modules.json",
           R"([{"path": "", "type": "x.Transformer"}, {"path": "", "type": "x.Normalize"}])");
    refuse(Status::bad_model, {"modules.json", "\"3_Nothing\""}, "modules.json",
           R"([{"path": "", "type": "x.Transformer"}, {"path": "3_Nothing", "type": "x.Pooling"}])");
    refuse(Status::bad_model, {"modules.json"}, "modules.json", "[3]");
    refuse(Status::unsupported, {"activation_function", "Swish9"}, "2_Dense/config.json",
           R"({"in_features": 32, "out_features": 20, "activation_function": "torch.nn.Swish9"})");
    refuse(Status::bad_model, {"in_features", "32", "31"}, "2_Dense/config.json",
           R"({"in_features": 31, "out_features": 20, "activation_function": "torch.nn.Tanh"})");
    refuse(Status::unsupported, {"do_lower_case"}, "sentence_bert_config.json", R"({"do_lower_case": true})");
    refuse(Status::bad_model, {"prompts", "query"}, "config_sentence_transformers.json",
           R"({"default_prompt_name": "query", "prompts": {}})");

    const Changed mean("labse", {}, "1_Pooling/config.json", R"({"pooling_mode": "mean", "embedding_dimension": 32})");
    CHECK(load(mean.path())->embedding().pooling == Pooling::mean);
    const Changed prompted("labse", {}, "config_sentence_transformers.json",
                           R"({"default_prompt_name": "query", "prompts": {"query": "Where is "}})");
    const auto with = embed(*load(prompted.path()), {"the station?"}, {});
    const auto whole = embed(*encoder("labse"), {"Where is the station?"}, {});
    CHECK(with.texts[0].tokens == whole.texts[0].tokens);
    CHECK(with.texts[0].values == whole.texts[0].values);
    const Changed bare("labse", {"modules.json"});
    CHECK(embed(*load(bare.path()), {"a"}, {}).width == 32);
}

}  // namespace embed_test
