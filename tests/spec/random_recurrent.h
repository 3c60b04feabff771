// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <deque>
#include <random>

#include "base/half.h"
#include "spec/recurrent_tensors.h"
#include "spec/weights.h"

namespace dragoman::test {

// A recurrent model of random f32 tensors in memory, everything optional included.
struct RandomRecurrent {
    // The values are exact in the type.
    RandomRecurrent(const spec::RecurrentConfig& c, uint32_t seed, DType exact_in) : config(c) {
        std::mt19937 engine(seed);
        for (const spec::TensorRule& rule : spec::recurrent_tensors(config)) {
            uint64_t count = 1;
            for (const uint32_t size : rule.shape) count *= size;
            const bool gamma = rule.name.ends_with("gamma"), table = rule.name.find("embeddings") != std::string::npos;
            const float reach = gamma || rule.shape.size() == 1 ? 0.5f
                                : table                         ? 1.5f
                                                                : 1.7f / std::sqrt(float(rule.shape[1]));
            std::vector<float>& values = values_.emplace_back(count);
            for (float& value : values) {
                value = (gamma ? 1.0f : 0.0f) + reach * (float(engine() >> 8) * 0x1p-23f - 1.0f);
                if (exact_in == DType::f16) value = from_half(to_half(value));
            }
            weights.add(rule.name, {.dtype = DType::f32,
                                    .shape = rule.shape,
                                    .bytes = std::as_bytes(std::span(values)),
                                    .scales = {}});
        }
    }
    RandomRecurrent(const RandomRecurrent&) = delete;

    spec::RecurrentConfig config;
    spec::WeightMap weights;

private:
    std::deque<std::vector<float>> values_;
};

}  // namespace dragoman::test
