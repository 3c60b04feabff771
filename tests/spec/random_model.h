// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <random>
#include <string>
#include <vector>

#include "spec/transformer_config.h"
#include "spec/weights.h"

namespace dragoman::test {

// A model of random f32 tensors in memory, scaled so that attention is neither flat nor one key.
struct RandomModel {
    struct Options {
        bool biases = true;
        bool tied = false;           // one tensor for both embeddings and the projection
        DType exact_in = DType::f32;  // the values of matrices are exact in this type
        uint32_t seed = 1;
    };
    RandomModel(const spec::TransformerConfig& config, const Options& options);

    spec::TransformerConfig config;
    spec::WeightMap weights;

private:
    void add(const std::string& name, std::vector<uint32_t> shape, float reach, float centre = 0.0f);
    void linear(const std::string& scope, uint32_t n, uint32_t k);
    void norms(const std::string& scope, const std::string& letters);
    void around(const std::string& scope, const spec::StackConfig& stack);
    void earlier(const std::string& layer);
    void stack(const std::string& scope, const spec::StackConfig& stack, uint32_t ffn, bool decoder);

    Options options_;
    std::mt19937 engine_;
    uint32_t width_;  // of the stack at work
    std::deque<std::vector<float>> values_;
};

}  // namespace dragoman::test
