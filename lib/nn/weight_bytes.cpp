// SPDX-License-Identifier: Apache-2.0
#include "nn/weight_bytes.h"

#include <set>

#include "nn/positions.h"
#include "nn/weight_store.h"
#include "ops/weight.h"
#include "spec/transformer_tensors.h"

namespace dragoman::nn {
namespace {

// How matrices are stored.
struct Stored {
    NumberTypes types;
    bool rounded;  // all to int8
    std::optional<DType> converted;
};

uint64_t matrix_bytes(const spec::HostTensor& tensor, const Stored& stored) {
    const uint32_t n = tensor.shape[0], k = tensor.shape[1];
    const DType type = stored.converted && k % kBlockElements == 0 ? *stored.converted : tensor.dtype;
    const bool made = stored.types.products == DType::i8 && spec::is_made_for_int8(tensor);
    if (stored.rounded || (made && !block_bytes(type)))
        return ops::panel_bytes(n, k, DType::i8) + n * sizeof(float);  // with its scales
    return ops::panel_bytes(n, k, block_bytes(type) ? type : stored.types.others);
}

uint64_t bias_bytes(const spec::StackConfig& stack) {
    return stack.heads * (2ull * stack.relative_max_distance + 1) * sizeof(float);
}

uint64_t tensor_bytes(const std::string& name, const spec::HostTensor& tensor, const spec::TransformerConfig& config,
                      const Stored& stored) {
    if (name.ends_with("/relative_attention_bias"))
        return bias_bytes(name.starts_with("encoder") ? config.encoder : config.decoder);
    const bool table = name.ends_with("/position_encodings/encodings");
    if (tensor.shape.size() == 2 && !table) return matrix_bytes(tensor, stored);
    return tensor.elements() * sizeof(float);
}

}  // namespace

uint64_t weight_bytes(const spec::TransformerConfig& config, const spec::WeightMap& weights, const NumberTypes& types,
                      std::optional<DType> converted) {
    const Stored stored{types, rounds_matrices(weights, types), converted};
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
        bytes += tensor_bytes(rule.name, *tensor, config, stored);
    }
    return bytes;
}

uint64_t weight_bytes(const spec::WeightMap& weights, const NumberTypes& types, std::optional<DType> converted) {
    const Stored stored{types, rounds_matrices(weights, types), converted};
    uint64_t bytes = 0;
    for (const auto& [name, tensor] : weights.tensors())
        bytes += tensor.shape.size() == 2 ? matrix_bytes(tensor, stored) : tensor.elements() * sizeof(float);
    return bytes;
}

}  // namespace dragoman::nn
