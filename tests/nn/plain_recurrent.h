// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "nn/plain_transformer.h"
#include "spec/recurrent_config.h"

namespace dragoman::test {

// The network of RecurrentConfig in double precision: one sentence at a time, from the first token on, straight from
// the equations.
class PlainRecurrent {
public:
    PlainRecurrent(const spec::RecurrentConfig& config, const spec::WeightMap& weights,
                   Products products = Products::exact)
        : config_(config), weights_(weights), products_(products) {}
    PlainTransformer::Prediction predict(std::span<const uint32_t> source, std::span<const uint32_t> target) const;

private:
    struct Memory {
        Row hidden, cell;
    };
    Rows tensor(const std::string& name) const;
    Rows matrix(const std::string& name) const;
    Row product(const std::string& scope, const Row& x, std::size_t first_norm, double epsilon) const;
    void step(const std::string& scope, const spec::RecurrentUnit& unit, const Row* x, Memory& memory) const;
    Rows run(const std::string& layer, const Rows& x, bool backward) const;
    Rows encode(std::span<const uint32_t> source) const;

    spec::RecurrentConfig config_;
    const spec::WeightMap& weights_;
    Products products_;
};

}  // namespace dragoman::test
