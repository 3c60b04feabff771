// SPDX-License-Identifier: Apache-2.0
// Networks of PyTorch's own layers compute what PyTorch computes: the encoder's output, cross-attention and logits of
// given targets; and greedy search finds the same tokens.
#include <nlohmann/json.hpp>

#include "families/families.h"
#include "families/gguf/gguf_writer.h"
#include "nn/device_run.h"
#include "nn/scratch.h"
#include "nn/transformer.h"
#include "pipeline/compare.h"
#include "pipeline/run/translator.h"
#include "support/temp_dir.h"

namespace pytorch_test {

using namespace dragoman;
using nlohmann::json;

namespace {

constexpr double kTolerance = 1e-4;
const std::string kFolder = DRAGOMAN_TEST_DATA "/pytorch/";
const std::vector<std::string> kModels = {"tutorial", "tied", "widths", "characters", "pieces"};

json expected_of(const std::string& name) { return json::parse(test::read_file(kFolder + name + "/expected.json")); }

template <class Row>
void compare_rows(const Row& found, const json& expected, double& largest) {
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        const double apart = std::abs(double(found[i]) - expected[i].template get<double>());
        largest = std::isnan(apart) ? apart : std::max(largest, apart);
    }
}

// The same network, whose decoder's first layer takes the encoder's output as keys and values, column by column.
class ShowsEncoder {
public:
    explicit ShowsEncoder(const spec::ModelSpec& spec) : config_(spec.config) {
        const uint32_t rows = 2 * config_.decoder.heads * config_.decoder.head_dim, width = config_.source_width();
        REQUIRE(rows >= width);
        identity_.resize(std::size_t(rows) * width);
        for (uint32_t c = 0; c < width; ++c) identity_[std::size_t(c) * width + c] = 1.0f;
        const std::string memory = "decoder/layer_0/attention/linear_1";
        for (const auto& [name, tensor] : spec.weights.tensors())
            if (!name.starts_with(memory)) weights_.add(name, tensor);
        for (const auto& [name, target] : spec.weights.aliases()) weights_.alias(name, target);
        weights_.add(memory + "/weight", {.dtype = DType::f32,
                                          .shape = {rows, width},
                                          .bytes = std::as_bytes(std::span(identity_)),
                                          .scales = {}});
    }

    // Outputs for the tokens of all sources, one after the other.
    std::vector<std::vector<float>> outputs(test::Context& context, const test::Sources& sources) const {
        const nn::Transformer network(context.shared_from_this(), config_, weights_, DType::f32);
        const test::DeviceRun run(context, network, sources, 1, 2);
        const auto& memory = dynamic_cast<const nn::TransformerEncoderMemory&>(run.memory());
        const test::Matrix keys = test::download(context, {memory.buffers[0], memory.layers[0]});
        std::vector<std::vector<float>> rows;
        std::size_t tokens = 0;
        for (const auto& source : sources) tokens += source.size();
        for (std::size_t i = 0; i < tokens; ++i) {
            const float* row = &keys.values[i * keys.cols];
            rows.emplace_back(row, row + config_.source_width());
        }
        return rows;
    }

private:
    spec::TransformerConfig config_;
    spec::WeightMap weights_;
    std::vector<float> identity_;
};

// Step t of the recorded targets, all at once.
test::ScriptStep script_step(const json& steps, std::size_t t) {
    test::ScriptStep rows;
    for (uint32_t slot = 0; slot < steps.size(); ++slot) {
        auto target = steps[slot].at("target").get<std::vector<uint32_t>>();
        target.resize(t + 1);
        rows.push_back({.cache_row = slot, .history = target, .ancestry = std::vector<uint32_t>(t)});
    }
    return rows;
}

test::Sources sources_of(const json& steps) {
    test::Sources sources;
    for (const json& step : steps) sources.push_back(step.at("source").get<std::vector<uint32_t>>());
    return sources;
}

struct Largest {
    double encoder = 0, logits = 0, attention = 0;
};

void compare_steps(test::Context& context, const spec::ModelSpec& spec, const json& steps, Largest& largest) {
    const test::Sources sources = sources_of(steps);
    std::size_t row = 0;
    const auto outputs = ShowsEncoder(spec).outputs(context, sources);
    for (const json& step : steps)
        for (const json& expected : step.at("encoder")) compare_rows(outputs.at(row++), expected, largest.encoder);
    CHECK(row == outputs.size());

    const nn::Transformer network(context.shared_from_this(), spec.config, spec.weights, DType::f32);
    const std::size_t length = steps[0].at("target").size();
    const auto run = [&](spec::AttentionChoice choice, const auto& check) {
        test::DeviceRun device(context, network, sources, 1, uint32_t(length));
        device.keep_attention_of(choice);
        for (std::size_t t = 0; t < length; ++t) {
            const auto result = device.step(script_step(steps, t));
            for (std::size_t slot = 0; slot < steps.size(); ++slot) {
                compare_rows(result.logits[slot], steps[slot].at("logits")[t], largest.logits);
                compare_rows(result.attention[slot], check(steps[slot])[t], largest.attention);
            }
        }
    };
    const uint32_t layers = spec.config.decoder.layers, heads = spec.config.decoder.heads;
    run({}, [&](const json& step) { return step.at("attention_mean").at(layers - 1); });
    for (uint32_t layer = 0; layer < layers; ++layer) {
        run({.layer = layer + 1, .head = spec::AttentionChoice::kAllHeads},
            [&](const json& step) { return step.at("attention_mean").at(layer); });
        for (uint32_t head = 0; head < heads; ++head)
            run({.layer = layer + 1, .head = head + 1},
                [&](const json& step) { return step.at("attention").at(layer).at(head); });
    }
}

std::shared_ptr<const pipeline::Model> load(const std::string& path) {
    return pipeline::Model::load(path, {.device = {}, .compute_type = pipeline::ComputeType::f32});
}

pipeline::Tokens tokens_of(const json& ids, const std::vector<std::string>& vocabulary) {
    pipeline::Tokens tokens;
    for (const json& id : ids) tokens.push_back(vocabulary.at(id.get<std::size_t>()));
    return tokens;
}

// How many of the recorded greedy translations come out the same, and the largest difference of their scores.
std::size_t count_equal(const std::string& path, const std::string& name, double& largest) {
    const spec::ModelSpec spec = families::load(kFolder + name);
    const json expected = expected_of(name);
    std::vector<pipeline::Request> requests;
    for (const json& source : expected.at("sources")) requests.push_back({tokens_of(source, spec.source.tokens), {}});
    REQUIRE(requests.size() == 50);
    const auto translator = pipeline::Translator::create(load(path));
    pipeline::TranslateOptions options;
    options.return_scores = true;
    const auto results = translator->translate(requests, options);
    std::size_t equal = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
        CAPTURE(i);
        const auto& best = results[i].hypotheses.at(0);
        CHECK(test::joined(best.tokens) == test::joined(tokens_of(expected.at("greedy")[i], spec.target.tokens)));
        equal += best.tokens == tokens_of(expected.at("greedy")[i], spec.target.tokens);
        largest = std::max(largest, std::abs(double(best.score) - expected.at("scores")[i].get<double>()));
    }
    return equal;
}

}  // namespace

TEST_CASE("the encoder's output, cross-attention of every layer and head, and logits are PyTorch's") {
    test::on_every_device([](test::Context& context) {
        for (const std::string& name : kModels) {
            CAPTURE(name);
            const spec::ModelSpec spec = families::load(kFolder + name);
            Largest largest;
            compare_steps(context, spec, expected_of(name).at("steps"), largest);
            CHECK(largest.encoder <= kTolerance);
            CHECK(largest.logits <= kTolerance);
            CHECK(largest.attention <= kTolerance);
        }
    });
}

TEST_CASE("greedy search finds PyTorch's tokens, from GGUF files too") {
    const test::TempDir folder;
    for (const std::string& name : kModels) {
        CAPTURE(name);
        double largest = 0;
        CHECK(count_equal(kFolder + name, name, largest) == 50);
        CHECK(largest <= kTolerance);
        const auto converted = folder.path() / (name + ".gguf");
        families::write_gguf(families::load(kFolder + name), converted, {});
        CHECK(count_equal(converted.string(), name, largest) == 50);
        CHECK(largest <= kTolerance);
    }
}

TEST_CASE("attention comes without being told a layer from all heads of the last one") {
    const json expected = expected_of("tied").at("steps")[0];
    const spec::ModelSpec spec = families::load(kFolder + "tied");
    const auto translator = pipeline::Translator::create(load(kFolder + "tied"));
    pipeline::TranslateOptions options;
    options.return_attention = true;
    auto source = tokens_of(expected.at("source"), spec.source.tokens);
    source = {source.begin() + 1, source.end() - 1};
    auto target = tokens_of(expected.at("target"), spec.target.tokens);
    target.erase(target.begin());
    const pipeline::Request request{source, target};
    const auto result = translator->translate(std::span(&request, 1), options).at(0).hypotheses.at(0);
    const json& mean = expected.at("attention_mean").at(1);
    for (std::size_t t = 0; t < target.size(); ++t) {
        CHECK(result.tokens.at(t) == target[t]);
        REQUIRE(result.attention.cols >= source.size());
        for (std::size_t j = 0; j < source.size(); ++j)
            CHECK(std::abs(result.attention[t][j] - mean[t][j + 1].get<float>()) <= kTolerance);
    }
}

TEST_CASE("texts of characters go in and come out") {
    const json expected = expected_of("characters");
    const auto model = load(kFolder + "characters");
    CHECK(model->info().format == "pytorch");
    CHECK(model->info().has_tokenizer);
    CHECK(model->tokenize("ab c").tokens == pipeline::Tokens{"a", "b", "\xe2\x96\x81", "c"});
    CHECK(model->tokenize("<s>a").tokens != pipeline::Tokens{"<s>", "a"});
    CHECK(model->detokenize(pipeline::Tokens{"<s>", "a", "\xe2\x96\x81", "b", "</s>"}).text == "a b");
    const spec::ModelSpec spec = families::load(kFolder + "characters");
    const auto text_of = [&](const json& ids) {
        std::string text;
        for (const std::string& token : tokens_of(ids, spec.source.tokens))
            text += token == "\xe2\x96\x81" ? " " : token;
        return text;
    };
    const auto translator = pipeline::Translator::create(model);
    std::size_t compared = 0;
    for (std::size_t i = 0; i < 50; ++i) {
        const std::string source = text_of(expected.at("sources")[i]), target = text_of(expected.at("greedy")[i]);
        if (source.starts_with(' ') || source.ends_with(' ') || target.starts_with(' ') || target.ends_with(' '))
            continue;
        CHECK(translator->translate_texts(std::vector<pipeline::Text>{{source}}, {.raw = true}, {})
                  .at(0)
                  .hypotheses.at(0)
                  .text == target);
        ++compared;
    }
    CHECK(compared >= 30);
}

}  // namespace pytorch_test
