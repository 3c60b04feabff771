// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "nn/cells.h"
#include "nn/seq2seq.h"
#include "vulkan/context.h"

namespace dragoman::nn {

// Tensors with buffers of their own.
class TensorPool {
public:
    ops::Tensor add(vulkan::Context& context, uint32_t rows, uint32_t cols, DType type, const std::string& name) {
        buffers_.push_back(context.buffer(uint64_t(rows) * cols * size_bytes(type), vulkan::BufferUse::device, name));
        return {.data = *buffers_.back(), .dtype = type, .rows = rows, .cols = cols, .stride = cols};
    }
    void clear() { buffers_.clear(); }

private:
    std::vector<std::shared_ptr<vulkan::Buffer>> buffers_;
};

struct RecurrentMemory final : EncoderMemory {
    uint32_t tokens = 0, sentences = 0;
    TensorPool token_pool, sentence_pool;
    // Read by the decoder, a row for each token.
    ops::Tensor context, keys;
    ops::Tensor start;  // f32; only a sentence's first token has one
    // Scratch for each token, in two lanes, one for each direction.
    ops::Tensor embedded, joined;
    std::array<ops::Tensor, 2> inputs, layers;
    ops::Tensor token_maxima;  // f32, for int8 products
    // Scratch for each sentence.
    std::array<CellState, 2> states;
    ops::Tensor mean, mapped, sentence_maxima;
};

struct RecurrentState final : State {
    uint32_t rows = 0;
    TensorPool pool;
    std::vector<ops::Tensor> kept;  // f32 [2 * rows, state_cols], by layer (ops/recurrence.h)
    ops::Tensor embedded, inputs, layer, query, context;
    std::array<ops::Tensor, 3> output;
    ops::Tensor maxima;  // f32, for int8 products
    CellState state;
};

}  // namespace dragoman::nn
