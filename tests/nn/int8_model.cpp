// SPDX-License-Identifier: Apache-2.0
#include "nn/int8_model.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace dragoman::test {

Int8Model::Int8Model(const RandomModel& model, InputScales scales, uint32_t seed)
    : config(model.config), engine_(seed) {
    const auto projected = [&](const std::string& name) {
        return std::ranges::any_of(model.weights.aliases(), [&](const auto& alias) {
            return alias.first == "decoder/projection/weight" && alias.second == name;
        });
    };
    uint32_t index = 0;
    for (const auto& [name, tensor] : model.weights.tensors()) {
        const bool linear = name.ends_with("/weight") && name.find("embeddings") == std::string::npos;
        if (linear || projected(name)) quantise(name, tensor, scales, index++);
        else weights.add(name, tensor);
    }
    for (const auto& [name, target] : model.weights.aliases()) weights.alias(name, target);
}

void Int8Model::quantise(const std::string& name, const spec::HostTensor& tensor, InputScales scales, uint32_t index) {
    const bool mixed = scales == InputScales::mixed;
    if (mixed && index % 4 == 1) return weights.add(name, tensor);
    const uint32_t n = tensor.shape[0], k = tensor.shape[1];
    std::vector<float> rows(std::size_t(n) * k);
    std::memcpy(rows.data(), tensor.bytes.data(), rows.size() * sizeof(float));

    spec::HostTensor made{.dtype = DType::i8, .shape = tensor.shape, .bytes = {}, .scales = {}, .input_scales = {}};
    const bool by_row = mixed && index % 2 == 0;
    const std::size_t share = by_row ? k : rows.size();
    std::vector<int8_t>& values = values_.emplace_back(rows.size());
    for (std::size_t begin = 0; begin < rows.size(); begin += share) {
        float largest = 0;
        for (std::size_t i = begin; i < begin + share; ++i) largest = std::max(largest, std::abs(rows[i]));
        made.scales.push_back(127.0f / largest);
        for (std::size_t i = begin; i < begin + share; ++i)
            values[i] = int8_t(std::lround(rows[i] * made.scales.back()));
    }
    made.bytes = std::as_bytes(std::span(values));

    // Coarse, so that it shows.
    const auto input_scale = [&] {
        const bool dynamic = scales == InputScales::dynamic || (mixed && engine_() % 3 == 0);
        const float scale = 5.0f + float(engine_() % 1000) * 0.005f;
        return dynamic ? 0.0f : scale;
    };
    if (name.ends_with("self_attention/linear_0/weight")) {
        for (uint32_t part = 0; part < 3; ++part)
            made.input_scales.insert(made.input_scales.end(), n / 3, input_scale());
    } else {
        made.input_scales = {input_scale()};
    }
    weights.add(name, std::move(made));
}

}  // namespace dragoman::test
