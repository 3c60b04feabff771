// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "nn/layers.h"
#include "nn/seq2seq.h"

namespace dragoman::nn {

// Numbers of columns of a stack's scratch tensors (Activations); 0: not needed.
struct ScratchWidths {
    uint32_t x = 0, wide = 0, second = 0, gate = 0, context = 0, start = 0;
    uint64_t bytes_per_row(DType type) const;
};
ScratchWidths encoder_widths(const spec::TransformerConfig& config);
ScratchWidths decoder_widths(const spec::TransformerConfig& config);

// Owns the activations of one stack for a number of rows.
class Scratch {
public:
    Scratch(vulkan::Context& context, const ScratchWidths& widths, uint32_t rows, DType type, const char* name);
    Activations activations(const ops::Extent& rows) const;
    // Lets `a` round inputs to int8 with dynamic scales, of groups or of rows; there may be at most `groups` of them.
    void group_rows(Activations& a, const ops::RowGroups& row_groups, uint32_t groups);

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

struct TransformerEncoderMemory final : EncoderMemory {
    std::unique_ptr<Scratch> scratch;
    std::vector<std::shared_ptr<vulkan::Buffer>> buffers;
    std::vector<ops::Tensor> layers;  // [source tokens, 2 heads head_dim]: keys, then values
    uint32_t tokens = 0;
};

struct TransformerState final : State {
    std::unique_ptr<Scratch> scratch;
    std::vector<std::shared_ptr<vulkan::Buffer>> buffers;  // buffers of `layers`, or of the tensors below
    std::vector<ops::Tensor> keys, values;  // [places, heads head_dim]; caches of self-attention
    std::vector<ops::Tensor> states;  // f32 [2 * rows, d_model]; states of recurrences (ops/recurrence.h)
    uint32_t rows = 0, places = 0;
};

}  // namespace dragoman::nn
