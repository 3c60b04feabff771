// SPDX-License-Identifier: Apache-2.0
#include "nn/weight_bytes.h"

#include <set>

#include "nn/positions.h"
#include "ops/weight.h"
#include "spec/transformer_tensors.h"

namespace dragoman::nn {
namespace {

uint64_t matrix_bytes(const spec::HostTensor& tensor, DType type, std::optional<DType> converted) {
    const uint32_t n = tensor.shape[0], k = tensor.shape[1];
    const DType stored = converted && k % kBlockElements == 0 ? *converted : tensor.dtype;
    if (block_bytes(stored)) return ops::panel_bytes(n, k, stored);
    if (type != DType::i8) return ops::panel_bytes(n, k, type);
    if (!spec::is_made_for_int8(tensor)) return ops::panel_bytes(n, k, DType::f32);
    return ops::panel_bytes(n, k, DType::i8) + n * sizeof(float);  // with its scales
}

uint64_t bias_bytes(const spec::StackConfig& stack) {
    return stack.heads * (2ull * stack.relative_max_distance + 1) * sizeof(float);
}

uint64_t tensor_bytes(const std::string& name, const spec::HostTensor& tensor, const spec::TransformerConfig& config,
                      DType type, std::optional<DType> converted) {
    if (name.ends_with("/relative_attention_bias"))
        return bias_bytes(name.starts_with("encoder") ? config.encoder : config.decoder);
    const bool table = name.ends_with("/position_encodings/encodings");
    if (tensor.shape.size() == 2 && !table) return matrix_bytes(tensor, type, converted);
    return tensor.elements() * sizeof(float);
}

}  // namespace

uint64_t weight_bytes(const spec::TransformerConfig& config, const spec::WeightMap& weights, DType type,
                      std::optional<DType> converted) {
    uint64_t bytes = 0;
    for (const spec::StackConfig* stack : {&config.encoder, &config.decoder})
        if (stack->layers > 0 && stack->positions == spec::Positions::sinusoid)
            bytes += uint64_t(kGeneratedPositions) * sizeof(float) *
                     (stack == &config.encoder ? config.source_width() : config.d_model);
    std::set<std::string_view> counted;
    for (const spec::TensorRule& rule : spec::transformer_tensors(config)) {
        const spec::HostTensor* tensor = weights.find(rule.name);
        // Every stack has its own table of positions.
        const bool once = !rule.name.ends_with("/position_encodings/encodings");
        if (!tensor || (once && !counted.insert(weights.key(rule.name)).second)) continue;
        bytes += tensor_bytes(rule.name, *tensor, config, type, converted);
    }
    return bytes;
}

uint64_t weight_bytes(const spec::WeightMap& weights, DType type, std::optional<DType> converted) {
    uint64_t bytes = 0;
    for (const auto& [name, tensor] : weights.tensors())
        bytes += tensor.shape.size() == 2 ? matrix_bytes(tensor, type, converted) : tensor.elements() * sizeof(float);
    return bytes;
}

}  // namespace dragoman::nn
