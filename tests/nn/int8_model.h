// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "spec/random_model.h"

namespace dragoman::test {

enum class InputScales : uint8_t { fixed, dynamic, mixed };

// A random model whose linear layers, and embeddings where they are tied, are int8 and made for integer products.
// Query, key and value have input scales of their own; `mixed` makes some dynamic, some matrices scaled by row and
// leaves some as f32.
struct Int8Model {
    Int8Model(const RandomModel& model, InputScales scales, uint32_t seed);

    spec::TransformerConfig config;
    spec::WeightMap weights;

private:
    void quantise(const std::string& name, const spec::HostTensor& tensor, InputScales scales, uint32_t index);
    std::mt19937 engine_;
    std::deque<std::vector<int8_t>> values_;
};

}  // namespace dragoman::test
