// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/error.h"
#include "nn/output_subset.h"
#include "nn/scratch.h"
#include "nn/transformer.h"

namespace dragoman::nn {

std::unique_ptr<State> Transformer::make_state(uint32_t rows, uint32_t places) const {
    auto& context = store_.context();
    auto state = std::make_unique<TransformerState>();
    state->rows = rows;
    state->scratch = std::make_unique<Scratch>(context, decoder_widths(config_), rows, type_, "decoder");
    if (config_.autoregression == spec::Autoregression::self_attention) {
        allocate_caches(*state, places);
        return state;
    }
    const uint32_t d = config_.d_model;
    for (uint32_t i = 0; i < config_.decoder.layers; ++i) {
        state->buffers.push_back(context.buffer(2ull * rows * d * sizeof(float), vulkan::BufferUse::device,
                                                fmt::format("states/layer_{}", i)));
        state->states.push_back(
            {.data = *state->buffers.back(), .dtype = DType::f32, .rows = 2 * rows, .cols = d, .stride = d});
    }
    return state;
}

void Transformer::allocate_caches(TransformerState& state, uint32_t places) const {
    const uint32_t cols = config_.decoder.heads * config_.decoder.head_dim;
    std::vector<std::shared_ptr<vulkan::Buffer>> buffers;
    const auto cache = [&](const char* kind, uint32_t layer) {
        buffers.push_back(store_.context().buffer(uint64_t(places) * cols * size_bytes(type_),
                                                  vulkan::BufferUse::device, fmt::format("{}/layer_{}", kind, layer)));
        return Tensor{.data = *buffers.back(), .dtype = type_, .rows = places, .cols = cols, .stride = cols};
    };
    std::vector<Tensor> keys, values;
    for (uint32_t i = 0; i < config_.decoder.layers; ++i) {
        keys.push_back(cache("keys", i));
        values.push_back(cache("values", i));
    }
    state.buffers = std::move(buffers);
    state.keys = std::move(keys);
    state.values = std::move(values);
    state.places = places;
}

void Transformer::step(Recorder& rec, const StepInput& input, const EncoderMemory& memory_base, State& state_base,
                       const Tensor& logits) const {
    const auto& memory = static_cast<const TransformerEncoderMemory&>(memory_base);
    auto& state = static_cast<TransformerState&>(state_base);
    DRAGOMAN_ASSERT(input.cache_rows <= state.rows);
    Activations a = state.scratch->activations(input.rows);
    if (store_.rounds_rows()) state.scratch->group_rows(a, {}, state.rows);
    else if (store_.holds_int8())
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
        if (layer.cross) record_cross_attention(rec, i, input, memory, a);
        Recorder::Pass pass(rec, "decoder/ffn");
        record_feed_forward(rec, layer.ffn, a);
    }
    Recorder::Pass pass(rec, "decoder/output");
    const Tensor hidden = stack_output(rec, a, target_.around, a.start);
    record_product(rec, output_projection(input.outputs, projection_),
                   {.x = hidden,
                    .y = logits,
                    .scale = config_.output_scale,
                    .records = input.records,
                    .y_unused = input.logits_unused},
                   a);
}

void Transformer::record_self_attention(Recorder& rec, const SelfAttention& attention, const StepInput& input,
                                        const Tensor& keys, const Tensor& values, Activations& a) const {
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
                                   .ranges = input.cache_ranges,
                                   .heads = attention.heads,
                                   .rows = a.rows});
    block_output(rec, a, attention.around, attention.out, a.context);
}

void Transformer::record_cross_attention(Recorder& rec, std::size_t layer, const StepInput& input,
                                         const TransformerEncoderMemory& memory, Activations& a) const {
    Recorder::Pass pass(rec, "decoder/cross_attention");
    const CrossAttention& cross = *decoder_[layer].cross;
    const Tensor normed = block_input(rec, a, cross.around);
    const Tensor query = narrowed(a.wide, cross.query.outputs());
    const ops::QueryProduct product = take_query_product(cross.query, normed, query, a);
    if (!product) record_product(rec, cross.query, {.x = normed, .y = query}, a);
    const spec::AttentionChoice& of = input.attention_of;
    const bool aligned = input.attention && layer == (of.layer > 0 ? of.layer - 1 : alignment_layer_);
    const bool gates = input.gate && !aligned && layer + 1 == decoder_.size();
    const uint32_t heads = cross.heads.count;
    const bool usual = aligned && of.head == 0,
               one_head = aligned && !usual && of.head != spec::AttentionChoice::kAllHeads;
    ops::step_cross_attention(rec, {.q = query,
                                    .memory = memory.layers[layer],
                                    .live_rows = input.live_rows,
                                    .source_begin = input.source_begin,
                                    .source_length = input.source_length,
                                    .beam = input.beam,
                                    .y = a.context,
                                    .weights = aligned ? input.attention
                                               : gates ? input.gate
                                                       : BufferView(),
                                    .position = input.position,
                                    .weights_begin = usual      ? alignment_first_head_
                                                     : one_head ? of.head - 1
                                                                : 0,
                                    .weights_heads = usual      ? alignment_heads_
                                                     : one_head ? 1
                                                                : heads,
                                    .weights_stride = aligned || gates ? input.attention_stride : 0,
                                    .max_steps = input.max_steps,
                                    .heads = cross.heads,
                                    .rows = a.rows,
                                    .query = product});
    block_output(rec, a, cross.around, cross.out, a.context);
}

void Transformer::grow(Recorder& rec, State& state_base, uint32_t places) const {
    auto& state = static_cast<TransformerState&>(state_base);
    if (state.keys.empty()) return;
    DRAGOMAN_ASSERT(places >= state.places);
    const auto buffers = state.buffers;
    const auto keys = state.keys, values = state.values;
    allocate_caches(state, places);
    const auto copy = [&](const Tensor& from, const Tensor& to) {
        rec.copy(from.data, {*to.data.buffer, to.data.offset, from.data.size_bytes});
    };
    for (std::size_t i = 0; i < state.keys.size(); ++i) {
        copy(keys[i], state.keys[i]);
        copy(values[i], state.values[i]);
    }
}

void Transformer::copy_places(Recorder& rec, State& state_base, uint32_t from, uint32_t to, uint32_t count) const {
    auto& state = static_cast<TransformerState&>(state_base);
    DRAGOMAN_ASSERT(uint64_t(std::max(from, to)) + count <= state.places || state.keys.empty());
    const auto copy = [&](const Tensor& cache) {
        const uint64_t bytes = uint64_t(cache.cols) * size_bytes(cache.dtype);
        rec.copy({*cache.data.buffer, from * bytes, count * bytes}, {*cache.data.buffer, to * bytes, count * bytes});
    };
    for (const Tensor& keys : state.keys) copy(keys);
    for (const Tensor& values : state.values) copy(values);
}

}  // namespace dragoman::nn
