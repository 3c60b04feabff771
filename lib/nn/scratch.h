// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "nn/layers.h"
#include "nn/seq2seq.h"

namespace dragoman::nn {

// Owns the activations of one stack for a number of rows.
class Scratch {
public:
    Scratch(vulkan::Context& context, const StackConfig& stack, uint32_t d_model, uint32_t ffn, uint32_t rows,
            DType type, const char* name);
    Activations activations(const ops::Extent& rows) const;
    // Lets `a` round inputs to int8 with dynamic scales; `groups` is how many groups there may be.
    void group_rows(Activations& a, const ops::RowGroups& row_groups, uint32_t groups);
    static uint64_t bytes_per_row(const StackConfig& stack, uint32_t d_model, uint32_t ffn, DType type);

private:
    ops::Tensor add(vulkan::Context& context, uint32_t cols, const std::string& name);
    vulkan::Context& context_;
    std::string name_;
    uint32_t rows_;
    DType type_;
    Activations activations_;
    std::shared_ptr<vulkan::Buffer> maxima_;
    std::vector<std::shared_ptr<vulkan::Buffer>> buffers_;
};

struct TransformerMemory final : Memory {
    std::unique_ptr<Scratch> scratch;
    std::vector<std::shared_ptr<vulkan::Buffer>> buffers;
    std::vector<ops::Tensor> layers;  // [source tokens, 2 heads head_dim]: keys, then values
    uint32_t tokens = 0;
};

struct TransformerState final : State {
    std::unique_ptr<Scratch> scratch;
    std::vector<std::shared_ptr<vulkan::Buffer>> buffers;
    std::vector<ops::Tensor> keys, values;  // [rows * max_steps, heads head_dim]
    uint32_t rows = 0, max_steps = 0;
};

// The output rows of a batch's tokens.
struct TransformerOutputs final : OutputSubset {
    Linear projection;
    std::vector<std::shared_ptr<vulkan::Buffer>> buffers;
};

}  // namespace dragoman::nn
