// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "nn/scratch.h"
#include "nn/transformer.h"

namespace dragoman::nn {

std::unique_ptr<State> Transformer::make_state(uint32_t rows, uint32_t max_steps) const {
    auto& context = store_.context();
    auto state = std::make_unique<TransformerState>();
    state->rows = rows;
    state->max_steps = max_steps;
    state->scratch = std::make_unique<Scratch>(context, decoder_widths(config_), rows, store_.type(), "decoder");
    if (config_.autoregression != Autoregression::self_attention) {
        const uint32_t d = config_.d_model;
        for (uint32_t i = 0; i < config_.decoder.layers; ++i) {
            state->buffers.push_back(context.buffer(2ull * rows * d * sizeof(float), vulkan::BufferUse::device,
                                                    fmt::format("states/layer_{}", i)));
            state->states.push_back(
                {.data = *state->buffers.back(), .dtype = DType::f32, .rows = 2 * rows, .cols = d, .stride = d});
        }
        return state;
    }
    const uint32_t cols = config_.decoder.heads * config_.decoder.head_dim;
    const auto cache = [&](const char* kind, uint32_t layer) {
        state->buffers.push_back(context.buffer(uint64_t(rows) * max_steps * cols * size_bytes(store_.type()),
                                                vulkan::BufferUse::device, fmt::format("{}/layer_{}", kind, layer)));
        return Tensor{.data = *state->buffers.back(),
                      .dtype = store_.type(),
                      .rows = rows * max_steps,
                      .cols = cols,
                      .stride = cols};
    };
    for (uint32_t i = 0; i < config_.decoder.layers; ++i) {
        state->keys.push_back(cache("keys", i));
        state->values.push_back(cache("values", i));
    }
    return state;
}

void Transformer::step(Recorder& rec, const StepInput& input, const Memory& memory_base, State& state_base,
                       const Tensor& logits) const {
    const auto& memory = static_cast<const TransformerMemory&>(memory_base);
    auto& state = static_cast<TransformerState&>(state_base);
    DRAGOMAN_ASSERT(input.cache_rows <= state.rows && input.max_steps == state.max_steps);
    Activations a = state.scratch->activations(input.rows);
    if (store_.holds_int8())
        state.scratch->group_rows(a, {.map = input.live_rows, .divisor = input.beam}, state.rows / input.beam);
    {
        Recorder::Pass pass(rec, "decoder/embed");
        record_embedding(rec, target_, input.tokens, input.live_rows, input.position, config_.start_from_zero_embedding,
                         a);
    }
    for (std::size_t i = 0; i < decoder_.size(); ++i) {
        const DecoderLayer& layer = decoder_[i];
        if (const auto* attention = std::get_if<SelfAttention>(&layer.earlier)) {
            Recorder::Pass pass(rec, "decoder/self_attention");
            record_self_attention(rec, *attention, input, state.keys[i], state.values[i], a);
        } else {
            Recorder::Pass pass(rec, "decoder/recurrence");
            const ops::Recurrence recurrence{.states = state.states[i],
                                             .live_rows = input.live_rows,
                                             .position = input.position,
                                             .ancestry = input.ancestry,
                                             .cache_rows = input.cache_rows,
                                             .max_steps = input.max_steps,
                                             .beam = input.beam};
            std::visit(
                [&]<class Block>(const Block& block) {
                    if constexpr (!std::is_same_v<Block, SelfAttention>) record_block(rec, block, recurrence, a);
                },
                layer.earlier);
        }
        {
            Recorder::Pass pass(rec, "decoder/cross_attention");
            const Tensor normed = block_input(rec, a, layer.cross.around);
            const Tensor query = record_linear(rec, layer.cross.query, normed, a.wide, a);
            const AttentionChoice& of = input.attention_of;
            const bool aligned = input.attention && i == (of.layer > 0 ? of.layer - 1 : alignment_layer_);
            const uint32_t heads = layer.cross.heads.count;
            const bool one_head = of.head > 0 && of.head != AttentionChoice::kAllHeads;
            ops::step_cross_attention(rec, {.q = query,
                                            .memory = memory.layers[i],
                                            .live_rows = input.live_rows,
                                            .source_begin = input.source_begin,
                                            .source_length = input.source_length,
                                            .beam = input.beam,
                                            .y = a.context,
                                            .weights = aligned ? input.attention : BufferView(),
                                            .position = input.position,
                                            .weights_begin = one_head ? of.head - 1 : 0,
                                            .weights_heads = one_head ? 1 : of.head == 0 ? alignment_heads_ : heads,
                                            .weights_stride = aligned ? input.attention_stride : 0,
                                            .max_steps = input.max_steps,
                                            .heads = layer.cross.heads,
                                            .rows = a.rows});
            block_output(rec, a, layer.cross.around, layer.cross.out, a.context);
        }
        Recorder::Pass pass(rec, "decoder/ffn");
        record_feed_forward(rec, layer.ffn, a);
    }
    Recorder::Pass pass(rec, "decoder/output");
    record_after(rec, a, target_.around, a.start, a.x);
    const Linear& projection =
        input.outputs ? static_cast<const TransformerOutputs&>(*input.outputs).projection : projection_;
    record_product(rec, projection,
                   {.x = a.x,
                    .y = logits,
                    .scale = config_.output_scale,
                    .records = input.records,
                    .y_unused = input.logits_unused},
                   a);
}

void Transformer::record_self_attention(Recorder& rec, const SelfAttention& attention, const StepInput& input,
                                        const Tensor& keys, const Tensor& values, const Activations& a) const {
    const Tensor normed = block_input(rec, a, attention.around);
    const Tensor qkv = record_linear(rec, attention.qkv, normed, a.wide, a);
    ops::step_self_attention(rec, {.qkv = qkv,
                                   .keys = keys,
                                   .values = values,
                                   .live_rows = input.live_rows,
                                   .position = input.position,
                                   .ancestry = input.ancestry,
                                   .cache_rows = input.cache_rows,
                                   .max_steps = input.max_steps,
                                   .beam = input.beam,
                                   .y = a.context,
                                   .heads = attention.heads,
                                   .rows = a.rows});
    block_output(rec, a, attention.around, attention.out, a.context);
}

void Transformer::grow(Recorder& rec, const State& from_base, State& to_base) const {
    const auto& from = static_cast<const TransformerState&>(from_base);
    auto& to = static_cast<TransformerState&>(to_base);
    DRAGOMAN_ASSERT(from.rows == to.rows && from.max_steps < to.max_steps);
    const auto copy_rows = [&](const Tensor& source, const Tensor& target) {
        const uint64_t step_bytes = uint64_t(source.cols) * size_bytes(source.dtype);
        for (uint32_t row = 0; row < from.rows; ++row)
            rec.copy({*source.data.buffer, row * from.max_steps * step_bytes, from.max_steps * step_bytes},
                     {*target.data.buffer, row * to.max_steps * step_bytes, from.max_steps * step_bytes});
    };
    for (std::size_t i = 0; i < from.keys.size(); ++i) {
        copy_rows(from.keys[i], to.keys[i]);
        copy_rows(from.values[i], to.values[i]);
    }
    for (std::size_t i = 0; i < from.states.size(); ++i) rec.copy(from.states[i].data, to.states[i].data);
}

}  // namespace dragoman::nn
