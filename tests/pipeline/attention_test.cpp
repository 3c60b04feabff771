// SPDX-License-Identifier: Apache-2.0
// The cross-attention of any layer and head is that of transformers.
#include <cmath>
#include <fstream>

#include "pipeline/compare.h"

namespace attention_test {

using namespace dragoman;
using nlohmann::json;

namespace {

// attention of the best hypothesis, with a row for the end token.
Matrix attention_of(pipeline::Translator& translator, const json& recorded, uint32_t layer, uint32_t head) {
    pipeline::TranslateOptions options{.beam_size = 4};
    options.return_attention = options.return_end_token = true;
    options.attention_layer = layer;
    options.attention_head = head;
    const pipeline::Request request{test::source_tokens(translator.model(), recorded.at("text").get<std::string>()),
                                    {}};
    auto results = translator.translate(std::span(&request, 1), options);
    CHECK(results.at(0).hypotheses.at(0).tokens == recorded.at("target").get<pipeline::Tokens>());
    return results.at(0).hypotheses.at(0).attention;
}

// The largest difference. The end of the source is no token and has no column.
double distance(const Matrix& found, const json& target, std::size_t source_length) {
    REQUIRE(found.rows == target.size());
    double largest = 0;
    for (std::size_t t = 0; t < found.rows; ++t) {
        REQUIRE(found[t].size() == source_length);
        for (std::size_t j = 0; j < source_length; ++j)
            largest = std::max(largest, std::abs(double(found[t][j]) - target[t][j].get<double>()));
    }
    return largest;
}

}  // namespace

TEST_CASE("the attention of a layer and head") {
    const std::string directory = DRAGOMAN_TEST_DATA "/huggingface/shared";
    std::ifstream file(directory + "/attention.json");
    const json recorded = json::parse(file);
    REQUIRE(recorded.size() == 2);
    const auto model = pipeline::Model::load(directory, {.device = {}, .compute_type = pipeline::ComputeType::f32});
    const auto translator = pipeline::Translator::create(model);
    for (const json& text : recorded) {
        const json& layers = text.at("attention");
        const std::size_t source_length = text.at("source").size() - 1;
        REQUIRE(layers.size() == 2);
        for (uint32_t layer = 0; layer < 2; ++layer) {
            const json& heads = layers[layer];
            REQUIRE(heads.size() == 4);
            json mean = heads[0];
            for (auto& row : mean) std::fill(row.begin(), row.end(), 0.0);
            for (uint32_t head = 0; head < 4; ++head) {
                CAPTURE(layer);
                CAPTURE(head);
                const auto found = attention_of(*translator, text, layer + 1, head + 1);
                CHECK(distance(found, heads[head], source_length) < 1e-4);
                for (std::size_t t = 0; t < mean.size(); ++t)
                    for (std::size_t j = 0; j < mean[t].size(); ++j)
                        mean[t][j] = mean[t][j].get<double>() + heads[head][t][j].get<double>() / 4;
            }
            const auto all = attention_of(*translator, text, layer + 1, pipeline::kAllHeads);
            CHECK(distance(all, mean, source_length) < 1e-4);
            CHECK(distance(attention_of(*translator, text, layer + 1, 0), heads[0], source_length) < 1e-4);
        }
        // Without a choice: the first head of the last layer.
        CHECK(distance(attention_of(*translator, text, 0, 0), layers[1][0], source_length) < 1e-4);
        CHECK(distance(attention_of(*translator, text, 0, 3), layers[1][2], source_length) < 1e-4);
    }
    CHECK_THROWS_WITH(attention_of(*translator, recorded[0], 3, 0),
                      doctest::Contains("attention_layer: 3, the decoder has 2 layers"));
    CHECK_THROWS_WITH(attention_of(*translator, recorded[0], 0, 5),
                      doctest::Contains("attention_head: 5, the decoder has 4 heads"));
}

}  // namespace attention_test
