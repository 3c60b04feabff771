// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "nn/operations.h"
#include "nn/scratch.h"
#include "nn/transformer.h"

namespace dragoman::nn {

std::unique_ptr<EncoderMemory> Transformer::make_encoder_scratch(uint32_t source_tokens) const {
    auto memory = std::make_unique<TransformerEncoderMemory>();
    memory->tokens = source_tokens;
    if (!config_.has_encoder()) return memory;
    memory->scratch = std::make_unique<Scratch>(store_.context(), encoder_widths(config_), source_tokens, type_,
                                                "encoder");
    return memory;
}

std::unique_ptr<EncoderMemory> Transformer::make_encoder_memory(uint32_t source_tokens) const {
    auto& context = store_.context();
    auto whole = make_encoder_scratch(source_tokens);
    if (!config_.has_encoder()) return whole;
    auto* const memory = static_cast<TransformerEncoderMemory*>(whole.get());
    const uint32_t cols = 2 * config_.decoder.heads * config_.decoder.head_dim;
    for (uint32_t i = 0; i < config_.decoder.layers; ++i) {
        memory->buffers.push_back(context.buffer(uint64_t(source_tokens) * cols * size_bytes(type_),
                                                 vulkan::BufferUse::device, fmt::format("memory/layer_{}", i)));
        memory->layers.push_back(
            {.data = *memory->buffers.back(), .dtype = type_, .rows = source_tokens, .cols = cols, .stride = cols});
    }
    return whole;
}

// Returns the stack's output, a.x or a.normed; its last norm may be pending.
Tensor Transformer::record_encoder(Recorder& rec, const EncodeInput& input, Activations& a, Cuts& cuts) const {
    cuts.begin_pass("encoder/embed");
    record_embedding(rec, source_, input.ids, {}, input.positions, false, a);
    a.cuts = &cuts;
    for (const EncoderLayer& layer : encoder_) {
        cuts.begin_pass("encoder/self_attention");
        const Tensor normed = block_input(rec, a, layer.attention.around);
        const Tensor qkv = record_linear(rec, layer.attention.qkv, normed, a.wide, a);
        cuts.before(4 * input.token_pairs * a.context.cols);
        ops::encoder_attention(rec, {.qkv = qkv,
                                     .row_sentence = input.row_sentence,
                                     .sentence_begin = input.sentence_begin,
                                     .y = a.context,
                                     .heads = layer.attention.heads,
                                     .rows = a.rows});
        block_output(rec, a, layer.attention.around, layer.attention.out, a.context);
        cuts.begin_pass("encoder/ffn");
        record_feed_forward(rec, layer.ffn, a);
    }
    cuts.begin_pass("encoder/memory");
    return stack_output(rec, a, source_.around, a.start);
}

Activations Transformer::encoder_activations(const EncodeInput& input, EncoderMemory& memory_base) const {
    auto& memory = static_cast<TransformerEncoderMemory&>(memory_base);
    DRAGOMAN_ASSERT(input.memory_begin + input.tokens.capacity <= memory.tokens);
    Activations a = memory.scratch->activations(input.tokens);
    if (store_.rounds_rows()) memory.scratch->group_rows(a, {}, memory.tokens);
    else if (store_.holds_int8())
        memory.scratch->group_rows(a, {.map = input.row_sentence},
                                   uint32_t(input.sentence_begin.size_bytes / sizeof(uint32_t)));
    return a;
}

Tensor Transformer::encode_only(Recorder& rec, const EncodeInput& input, EncoderMemory& scratch) const {
    Activations a = encoder_activations(input, scratch);
    Cuts cuts(rec, input.operations_per_list);
    const Tensor hidden = record_encoder(rec, input, a, cuts);
    apply_pending_norm(rec, a);
    return hidden;
}

void Transformer::encode(Recorder& rec, const EncodeInput& input, EncoderMemory& memory_base) const {
    auto& memory = static_cast<TransformerEncoderMemory&>(memory_base);
    if (!config_.has_encoder()) return;
    Activations a = encoder_activations(input, memory);
    Cuts cuts(rec, input.operations_per_list);
    const Tensor hidden = record_encoder(rec, input, a, cuts);
    for (std::size_t i = 0; i < decoder_.size(); ++i) {
        Tensor layer = memory.layers[i];
        const uint64_t skipped = uint64_t(input.memory_begin) * layer.stride * size_bytes(layer.dtype);
        layer.data = {*layer.data.buffer, layer.data.offset + skipped, layer.data.size_bytes - skipped};
        layer.rows -= input.memory_begin;
        record_linear(rec, decoder_[i].cross->memory, hidden, layer, a);
    }
}

}  // namespace dragoman::nn
