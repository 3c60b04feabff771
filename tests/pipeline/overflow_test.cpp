// SPDX-License-Identifier: Apache-2.0
// Numbers that are too large for float16: noticed, counted, and the sentences translated in float32.
#include <algorithm>
#include <iostream>
#include <map>

#include "families/families.h"
#include "pipeline/model_fixture.h"
#include "pipeline/recorded.h"

namespace overflow_test {

using namespace dragoman;
using pipeline::ComputeType;

namespace {

// Tensors of a model that differ from those of its file.
class Changed {
public:
    void scale_row(spec::WeightMap& weights, const std::string& name, uint32_t row, float scale) {
        auto& values = values_of(weights, name);
        const uint32_t cols = weights.get(name).shape[1];
        for (uint32_t i = 0; i < cols; ++i) values[size_t(row) * cols + i] *= scale;
    }
    void clear_column(spec::WeightMap& weights, const std::string& name, uint32_t column) {
        auto& values = values_of(weights, name);
        const auto& shape = weights.get(name).shape;
        for (uint32_t row = 0; row < shape[0]; ++row) values[size_t(row) * shape[1] + column] = 0.0f;
    }
    // The map with these instead of its own.
    spec::WeightMap in(const spec::WeightMap& weights) const {
        spec::WeightMap changed;
        for (const auto& [name, tensor] : weights.tensors()) {
            spec::HostTensor other = tensor;
            if (const auto found = values_.find(name); found != values_.end())
                other = {.dtype = DType::f32, .shape = tensor.shape, .bytes = std::as_bytes(std::span(found->second))};
            changed.add(name, std::move(other));
        }
        for (const auto& [name, target] : weights.aliases()) changed.alias(name, target);
        return changed;
    }

private:
    std::vector<float>& values_of(const spec::WeightMap& weights, const std::string& name) {
        std::vector<float>& values = values_[name];
        if (values.empty()) {
            values.resize(weights.get(name).elements());
            spec::to_f32(weights.get(name), 0, values);
        }
        return values;
    }
    std::map<std::string, std::vector<float>> values_;
};

}  // namespace

// Units of a hidden layer that nothing reads get large values: in float16 they are infinite, and infinity times 0 is
// no number.
TEST_CASE("sentences that overflow in float16 are translated in float32") {
    if (!test::real_model()->context().caps().f16) {
        std::cout << "skipped: no f16 on " << test::real_model()->context().caps().name << "\n";
        return;
    }
    uint64_t repeated = 0;
    for (const std::string stack : {"encoder", "decoder"}) {
        CAPTURE(stack);
        spec::ModelSpec spec = families::load(std::filesystem::path(test::kRealModel));
        Changed changed;
        for (uint32_t unit = 0; unit < 16; ++unit) {  // some of them are positive
            changed.scale_row(spec.weights, stack + "/layer_0/ffn/linear_0/weight", unit, 3e4f);
            changed.clear_column(spec.weights, stack + "/layer_0/ffn/linear_1/weight", unit);
        }
        spec.weights = changed.in(spec.weights);
        const auto translator = [&](ComputeType type) {
            return pipeline::Translator::create(
                std::make_shared<pipeline::Model>(spec, pipeline::ModelOptions{.device = {}, .compute_type = type}));
        };
        const auto wide = translator(ComputeType::f32), half = translator(ComputeType::f16);
        std::size_t compared = 0, same = 0;
        for (const auto& recorded : test::read_recorded(test::kRealModel).cases) {
            if (recorded.name != "greedy" && recorded.name != "beam4") continue;
            const auto expected = wide->translate(recorded.requests, recorded.options),
                       found = half->translate(recorded.requests, recorded.options);
            for (std::size_t i = 0; i < found.size(); ++i, ++compared)
                same += found[i].hypotheses.at(0).tokens == expected[i].hypotheses.at(0).tokens;
        }
        REQUIRE(compared >= 20);
        CHECK(same * 20 >= compared * 19);
        repeated += half->stats().repeated_sentences;
        CHECK(half->stats().repeated_sentences <= compared);
        CHECK(wide->stats().repeated_sentences == 0);
        half->reset_stats();
        CHECK(half->stats().repeated_sentences == 0);
    }
    CHECK(repeated > 0);  // of both: some devices store the largest number instead of infinity
}

TEST_CASE("ordinary sentences are not translated twice") {
    if (!test::real_model()->context().caps().f16) return;
    const auto half =
        pipeline::Translator::create(pipeline::Model::load(test::kRealModel,
                                                           {.device = {}, .compute_type = ComputeType::f16}));
    for (const auto& recorded : test::read_recorded(test::kRealModel).cases)
        half->translate(recorded.requests, recorded.options);
    CHECK(half->stats().sentences > 20);
    CHECK(half->stats().repeated_sentences == 0);
}

}  // namespace overflow_test
