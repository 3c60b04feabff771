// SPDX-License-Identifier: Apache-2.0
// Search settings, from the model's files and from options, give what transformers' generate() gives.
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>

#include "base/error.h"
#include "families/families.h"
#include "pipeline/compare.h"
#include "support/temp_dir.h"
#include "text/token_ranges.h"

namespace huggingface_search_test {

using namespace dragoman;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

json read_json(const fs::path& path) {
    std::ifstream file(path);
    return json::parse(file);
}

// A copy of a model whose generation settings have been overlaid; null takes a setting away.
class ChangedModel {
public:
    ChangedModel(const fs::path& model, const json& changes) {
        copy(model);
        for (const char* name : {"config.json", "generation_config.json"}) {
            json values = read_json(folder_.path() / name);
            for (const auto& [key, value] : changes.items())
                if (value.is_null()) values.erase(key);
                else if (std::string(name) == "generation_config.json") values[key] = value;
            folder_.write(name, values.dump());
        }
    }
    // Each file with changes of its own; no generation settings: without their file.
    ChangedModel(const fs::path& model, const json& config, const json& generation) {
        copy(model);
        for (const auto& [name, changes] : {std::pair{"config.json", config}, {"generation_config.json", generation}}) {
            json values = read_json(folder_.path() / name);
            values.merge_patch(changes);
            if (changes.is_null()) fs::remove(folder_.path() / name);
            else folder_.write(name, values.dump());
        }
    }
    std::string path() const { return folder_.path().string(); }

private:
    void copy(const fs::path& model) const {
        for (const auto& entry : fs::directory_iterator(model))
            if (entry.path().filename() != "expected.json" && entry.path().filename() != "search.json")
                fs::copy_file(entry.path(), folder_.path() / entry.path().filename());
    }
    test::TempDir folder_;
};

std::shared_ptr<const pipeline::Model> load(const std::string& directory) {
    return pipeline::Model::load(directory, {.device = {}, .compute_type = pipeline::ComputeType::f32});
}

pipeline::Tokens split(const std::string& text) {
    std::istringstream stream(text);
    pipeline::Tokens tokens;
    for (std::string token; stream >> token;) tokens.push_back(token);
    return tokens;
}

void compare(const pipeline::Result& result, const json& expected) {
    REQUIRE(result.hypotheses.size() == expected.at("hypotheses").size());
    for (std::size_t h = 0; h < result.hypotheses.size(); ++h) {
        CAPTURE(h);
        const auto& hypothesis = result.hypotheses[h];
        CHECK(test::joined(hypothesis.tokens) == expected["hypotheses"][h].get<std::string>());
        if (expected.at("scores").is_null()) continue;  // greedy search gives none
        const float score = expected["scores"].at(h);
        CHECK(std::abs(hypothesis.score - score) <= test::kScoreTolerance * std::max(1.0f, std::abs(score)));
    }
}

const std::string kShared = DRAGOMAN_TEST_DATA "/huggingface/shared";

TEST_CASE("beam search agrees with transformers under every setting") {
    for (const std::string& directory : test::recorded_models("huggingface")) {
        CAPTURE(directory);
        const json recorded = read_json(fs::path(directory) / "search.json");
        REQUIRE(recorded.at("cases").size() >= 45);
        std::map<std::string, std::shared_ptr<pipeline::Translator>> translators;  // by generation settings
        for (const json& c : recorded.at("cases")) {
            const std::string generation = c.at("generation").dump(), options = c.at("options").dump();
            CAPTURE(generation);
            CAPTURE(options);
            auto& translator = translators[generation];
            if (!translator)
                translator = pipeline::Translator::create(load(ChangedModel(directory, c["generation"]).path()));
            std::vector<pipeline::Request> requests;
            for (const std::size_t i : c.at("source"))
                requests.push_back({split(recorded.at("sources").at(i).get<std::string>()), {}});
            const auto results = translator->translate(requests, test::options_from_json(c.at("options")));
            for (std::size_t i = 0; i < requests.size(); ++i) {
                CAPTURE(i);
                compare(results[i], c.at("expected").at(i));
            }
        }
        CHECK(translators.size() >= 4);
    }
}

TEST_CASE("a given beginning is to a search what it is to transformers'") {
    for (const std::string& directory : test::recorded_models("huggingface")) {
        CAPTURE(directory);
        const json recorded = read_json(fs::path(directory) / "prefixed.json");
        REQUIRE(recorded.size() >= 50);
        const auto translator = pipeline::Translator::create(load(directory));
        for (const json& c : recorded) {
            const std::string what = c.dump();
            CAPTURE(what);
            const pipeline::Request request{split(c.at("source")), split(c.at("prefix"))};
            const auto result = translator->translate({&request, 1}, test::options_from_json(c.at("options"))).at(0);
            compare(result, c.at("expected"));
        }
    }
}

TEST_CASE("keys of the two files mean what they mean to transformers") {
    const json recorded = read_json(DRAGOMAN_TEST_DATA "/huggingface/settings.json");
    REQUIRE(recorded.size() >= 60);
    for (const json& c : recorded) {
        const std::string folder = c.at("model"), config = c.at("config").dump(),
                          generation = c.at("generation").dump();
        CAPTURE(folder);
        CAPTURE(config);
        CAPTURE(generation);
        const ChangedModel changed(fs::path(DRAGOMAN_TEST_DATA) / folder, c.at("config"), c.at("generation"));
        const auto translator = pipeline::Translator::create(load(changed.path()));
        pipeline::TranslateOptions options{.return_scores = true};
        if (!c.at("longest").is_null()) options.max_decoding_length = c.at("longest");
        const bool languages = folder != "t5/umt5" && folder != "huggingface/bart";
        for (const json& item : c.at("items")) {
            const std::string text = item.at("text");
            CAPTURE(text);
            pipeline::TextOptions how{.split_sentences = false, .raw = true};
            if (languages && item.at("from").is_string()) how.source_language = item["from"].get<std::string>();
            if (languages && item.at("to").is_string()) how.target_language = item["to"].get<std::string>();
            const pipeline::Text source{.text = text, .target_prefix = {}};
            const auto found = translator->translate_texts(std::span(&source, 1), how, options);
            const auto& hypothesis = found.at(0).hypotheses.at(0).sentences.at(0);
            CHECK(test::joined(found[0].hypotheses[0].tokens(0)) == item.at("tokens").get<std::string>());
            if (item.at("score").is_null()) continue;  // greedy search gives none
            const float score = item["score"];
            CHECK(std::abs(hypothesis.score - score) <= test::kScoreTolerance * std::max(1.0f, std::abs(score)));
        }
    }
}

TEST_CASE("padding is a token like others where nothing bans it, but not in texts") {
    const auto model = load(ChangedModel(kShared, {{"bad_words_ids", nullptr}}).path());
    CHECK(model->detokenize(pipeline::Tokens{"<pad>", "▁fopi", "<pad>", "й", "<pad>"}).text == "fopiй");
    const auto translator = pipeline::Translator::create(model);
    // The first recorded source: transformers finds nothing but padding.
    const std::string text = read_json(kShared + "/expected.json").at("texts").at(0).at("text");
    const pipeline::Text source{.text = text, .target_prefix = {}};
    const auto found = translator->translate_texts(std::span(&source, 1), {.raw = true},
                                                   {.beam_size = 1, .max_decoding_length = 12});
    CHECK(found.at(0).hypotheses.at(0).text.empty());
}

TEST_CASE("an infinite bias bans a token") {
    spec::ModelSpec spec = families::load(ChangedModel(kShared, {{"bad_words_ids", nullptr}}).path());
    REQUIRE(spec.never_generated.empty());
    const std::string name = "decoder/projection/bias";
    std::vector<float> bias(spec.config.target_vocabulary);
    spec::to_f32(spec.weights.get(name), 0, bias);
    bias.at(spec.target.tokens.size() - 1) = -std::numeric_limits<float>::infinity();
    REQUIRE(spec.target.tokens.back() == "<pad>");
    spec::WeightMap weights;
    for (const auto& [key, tensor] : spec.weights.tensors())
        weights.add(key, key == name ? spec::HostTensor{.dtype = DType::f32,
                                                        .shape = tensor.shape,
                                                        .bytes = std::as_bytes(std::span(bias)),
                                                        .scales = {}}
                                     : tensor);
    for (const auto& [key, target] : spec.weights.aliases()) weights.alias(key, target);
    spec.weights = std::move(weights);
    const auto translator = pipeline::Translator::create(std::make_shared<pipeline::Model>(
        spec, pipeline::ModelOptions{.device = {}, .compute_type = pipeline::ComputeType::f32}));
    const json recorded = read_json(fs::path(kShared) / "search.json");
    for (const std::size_t i : {0u, 1u}) {  // beam search and greedy, where bad_words_ids has it
        const json& c = recorded.at("cases").at(i);
        std::vector<pipeline::Request> requests;
        for (const std::size_t at : c.at("source"))
            requests.push_back({split(recorded.at("sources").at(at).get<std::string>()), {}});
        const auto results = translator->translate(requests, test::options_from_json(c.at("options")));
        for (std::size_t r = 0; r < requests.size(); ++r)
            CHECK(test::joined(results[r].hypotheses.at(0).tokens) ==
                  c.at("expected").at(r).at("hypotheses").at(0).get<std::string>());
    }
}

TEST_CASE("with do_sample a model samples, unless the caller says otherwise") {
    const json recorded = read_json(fs::path(kShared) / "search.json");
    std::vector<pipeline::Request> requests;
    for (const json& source : recorded.at("sources")) requests.push_back({split(source.get<std::string>()), {}});
    const json changes = {{"do_sample", true}, {"num_beams", 1}, {"temperature", 1.5}, {"top_k", 0}};
    const auto translator = pipeline::Translator::create(load(ChangedModel(kShared, changes).path()));
    const auto tokens_of = [&](const pipeline::TranslateOptions& options) {
        std::vector<pipeline::Tokens> tokens;
        for (auto& result : translator->translate(requests, options)) tokens.push_back(result.hypotheses[0].tokens);
        return tokens;
    };
    const auto drawn = tokens_of({}), greedy = tokens_of({.sampling = spec::Sampling::off});
    CHECK(tokens_of({}) == drawn);
    CHECK(tokens_of({.sampling = spec::Sampling::on}) == drawn);
    CHECK(tokens_of({.seed = 1}) != drawn);
    CHECK(tokens_of({.temperature = 1.0f}) != drawn);
    CHECK(greedy != drawn);
    CHECK(tokens_of({.top_k = 1}) == greedy);
}

TEST_CASE("generation settings out of range are refused by file and key") {
    const auto refuse = [](const json& changes, const std::string& names) {
        CAPTURE(names);
        const ChangedModel model(kShared, changes);
        try {
            pipeline::Model::describe(model.path());
            FAIL("accepted");
        } catch (const Error& error) {
            const std::string message = error.what();
            CHECK(error.status() == Status::bad_model);
            CHECK_MESSAGE(message.find("generation_config.json") != std::string::npos, message);
            CHECK_MESSAGE(message.find(names) != std::string::npos, message);
        }
    };
    refuse({{"num_beams", 0}}, "num_beams");
    refuse({{"num_beams", 65}}, "num_beams");
    refuse({{"num_beams", "four"}}, "num_beams");
    refuse({{"max_length", 1}}, "max_length");
    refuse({{"max_length", -5}}, "max_length");
    refuse({{"max_new_tokens", 0}}, "max_new_tokens");
    refuse({{"length_penalty", json::array()}}, "length_penalty");
    refuse({{"length_penalty", 1e300}}, "length_penalty");
    refuse({{"repetition_penalty", 0}}, "repetition_penalty");
    refuse({{"early_stopping", "sometimes"}}, "early_stopping");
    refuse({{"renormalize_logits", 1}}, "renormalize_logits");
    refuse({{"forced_eos_token_id", 77}}, "forced_eos_token_id");
}

TEST_CASE("another engine's search can be asked for") {
    const auto translator = pipeline::Translator::create(load(kShared));
    const json recorded = read_json(kShared + "/search.json");
    const pipeline::Request request{split(recorded.at("sources").back().get<std::string>()), {}};
    // One token for each source token and the end token; a fourth of the score for each of them.
    const pipeline::TranslateOptions marian{.search = spec::SearchStyle::marian,
                                            .beam_size = 3,
                                            .word_penalty = 0.25f,
                                            .max_length_factor = 0.5f,
                                            .num_hypotheses = 3,
                                            .return_scores = true};
    const auto results = translator->translate(std::span(&request, 1), marian)[0].hypotheses;
    REQUIRE(results.size() == 3);
    const std::size_t limit = (request.source.size() + 1 + 1) / 2;
    for (const auto& hypothesis : results) CHECK(hypothesis.tokens.size() <= limit);
    CHECK(results[0].score >= results[1].score);
    CHECK(results[1].score >= results[2].score);
    auto free = marian;
    free.word_penalty = 0.0f;
    free.return_end_token = true;
    const auto unpenalised = translator->translate(std::span(&request, 1), free);
    for (const auto& hypothesis : unpenalised[0].hypotheses) {
        const float penalised = hypothesis.score - 0.25f * float(hypothesis.tokens.size());
        CHECK(std::ranges::any_of(results, [&](const auto& h) { return std::abs(h.score - penalised) < 1e-4f; }));
    }
    // CTranslate2's own defaults: no end token at the first place.
    const auto other = translator->translate(std::span(&request, 1), {.search = spec::SearchStyle::ctranslate2});
    CHECK(!other[0].hypotheses.at(0).tokens.empty());
}

}  // namespace

}  // namespace huggingface_search_test
