// SPDX-License-Identifier: Apache-2.0
#include "nn/transformer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "nn/operations.h"
#include "nn/output_subset.h"
#include "nn/positions.h"
#include "nn/scratch.h"
#include "ops/attention.h"
#include "ops/elementwise.h"
#include "ops/embed.h"

namespace dragoman::nn {

namespace {
static_assert(spec::kMaxHeadDim == ops::kMaxHeadDim);
}

Transformer::Transformer(std::shared_ptr<vulkan::Context> context, const spec::TransformerConfig& config,
                         const spec::WeightMap& weights, NumberTypes types)
    : config_(config), store_(std::move(context), weights, types),
      type_(config.wide_activations ? DType::f32 : store_.type()) {
    load_encoder();
    if (config_.decoder.layers > 0) load_decoder();
    describe();
    count_operations();
}

std::vector<ops::Product> Transformer::measured_products() const {
    std::vector<ops::Product> products;
    for (const ops::Weight& weight : store_.products()) {
        const bool logits = std::ranges::any_of(projection_.parts, [&](const MatrixPart& part) {
            return part.weight.data.buffer == weight.data.buffer;
        });
        products.push_back({.w = weight, .x = type_, .y = logits ? DType::f32 : type_});
    }
    return products;
}

std::vector<ops::AttentionShape> Transformer::measured_attention() const {
    using ops::AttentionUse;
    std::vector<ops::AttentionShape> shapes;
    const spec::StackConfig &encoder = config_.encoder, &decoder = config_.decoder;
    const bool earlier = config_.autoregression == spec::Autoregression::self_attention;
    if (encoder.layers > 0) shapes.push_back({AttentionUse::encoder, type_, encoder.heads, encoder.head_dim});
    if (decoder.layers == 0) return shapes;
    if (earlier) shapes.push_back({AttentionUse::step_self, type_, decoder.heads, decoder.head_dim});
    if (encoder.layers == 0) return shapes;
    for (const uint32_t beam : {1u, 4u})
        shapes.push_back({AttentionUse::step_cross, type_, decoder.heads, decoder.head_dim, beam});
    return shapes;
}

Transformer::Embedding Transformer::load_embedding(const std::string& scope, const std::string& table,
                                                   const spec::StackConfig& stack, uint32_t vocabulary, uint32_t d) {
    Embedding embedding{.table = {},
                        .vocabulary = vocabulary,
                        .scale = stack.embedding_scale,
                        .around = load_stack_surroundings(store_, scope, stack, d)};
    // The lookup also uses the projection's int8 table, if one scale turns it into values.
    const auto same_inputs = [](const MatrixPart& a, const MatrixPart& b) { return a.input_scale == b.input_scale; };
    if (!store_.rounds_rows() && store_.is_int8(table) && store_.host().get(table).scales.size() == 1 &&
        std::ranges::adjacent_find(store_.parts(table, vocabulary, d), std::not_fn(same_inputs)) ==
            store_.parts(table, vocabulary, d).end()) {
        embedding.table = store_.parts(table, vocabulary, d);
        embedding.scale /= store_.host().get(table).scales.front();
    } else {
        embedding.table = store_.table(table, vocabulary, d);
    }
    if (stack.positions == spec::Positions::table) {
        const std::string name = scope + "/position_encodings/encodings";
        const spec::HostTensor& tensor = store_.host().get(name, {stack.max_positions, d});
        std::vector<float> rows(tensor.elements());
        spec::to_f32(tensor, 0, rows);
        embedding.positions = store_.values(name, rows);
        embedding.max_positions = stack.max_positions;
    } else if (stack.positions == spec::Positions::sinusoid) {
        embedding.positions = store_.values(scope + "/sinusoids",
                                            sinusoids(kGeneratedPositions, d, stack.first_position));
        embedding.max_positions = kGeneratedPositions;
    }
    return embedding;
}

ops::Heads Transformer::load_heads(const std::string& scope, const spec::StackConfig& stack, bool bidirectional,
                                   uint32_t layer) {
    ops::Heads heads{.count = stack.heads, .head_dim = stack.head_dim, .scale = stack.attention_scale};
    if (heads.scale == 0.0f) heads.scale = 1.0f / std::sqrt(float(stack.head_dim));
    if (stack.relative_buckets == 0) return heads;

    const std::string name = fmt::format("{}/layer_{}/self_attention/relative_attention_bias", scope, layer);
    const spec::HostTensor& tensor = store_.host().get(name, {stack.relative_buckets, stack.heads});
    std::vector<float> table(tensor.elements());
    spec::to_f32(tensor, 0, table);
    const int32_t reach = int32_t(stack.relative_max_distance);
    const uint32_t width = uint32_t(2 * reach + 1);
    std::vector<float> unrolled(uint64_t(stack.heads) * width);
    for (int32_t r = -reach; r <= reach; ++r) {
        const uint32_t bucket = relative_bucket(r, bidirectional, stack.relative_buckets, uint32_t(reach));
        for (uint32_t h = 0; h < stack.heads; ++h)
            unrolled[uint64_t(h) * width + uint32_t(r + reach)] = table[uint64_t(bucket) * stack.heads + h];
    }
    heads.relative_bias = store_.values(name, unrolled);
    heads.bias_reach = uint32_t(reach);
    return heads;
}

void Transformer::load_encoder() {
    if (!config_.has_encoder()) return;
    const spec::StackConfig& stack = config_.encoder;
    const uint32_t d = config_.source_width();
    source_ = load_embedding("encoder", "encoder/embeddings_0/weight", stack, config_.source_vocabulary, d);
    ops::Heads heads = load_heads("encoder", stack, true);
    for (uint32_t i = 0; i < stack.layers; ++i) {
        if (i > 0 && stack.relative_bias_everywhere) heads = load_heads("encoder", stack, true, i);
        const std::string scope = fmt::format("encoder/layer_{}", i);
        encoder_.push_back({load_self_attention(store_, scope + "/self_attention", stack, d, heads),
                            load_feed_forward(store_, scope + "/ffn", stack, d, config_.encoder_ffn)});
    }
}

void Transformer::load_decoder() {
    const spec::StackConfig& stack = config_.decoder;
    const uint32_t d = config_.d_model;
    target_ = load_embedding("decoder", "decoder/embeddings/weight", stack, config_.target_vocabulary, d);
    ops::Heads heads;
    if (config_.autoregression == spec::Autoregression::self_attention) heads = load_heads("decoder", stack, false);
    const auto load_earlier = [&](const std::string& layer) -> decltype(DecoderLayer::earlier) {
        switch (config_.autoregression) {
            case spec::Autoregression::ssru: return load_ssru(store_, layer + "/rnn", config_);
            case spec::Autoregression::gru: return load_gru(store_, layer + "/rnn", config_);
            case spec::Autoregression::average_attention:
                return load_average_attention(store_, layer + "/average", config_);
            case spec::Autoregression::self_attention: break;
        }
        return load_self_attention(store_, layer + "/self_attention", stack, d, heads);
    };
    for (uint32_t i = 0; i < stack.layers; ++i) {
        const std::string scope = fmt::format("decoder/layer_{}", i);
        if (i > 0 && stack.relative_bias_everywhere) heads = load_heads("decoder", stack, false, i);
        std::optional<CrossAttention> cross;
        if (config_.has_encoder())
            cross = load_cross_attention(store_, scope + "/attention", stack, d, config_.source_width());
        decoder_.push_back({load_earlier(scope), std::move(cross),
                            load_feed_forward(store_, scope + "/ffn", stack, d, config_.decoder_ffn)});
    }
    projection_ = load_linear(store_, "decoder/projection", config_.target_vocabulary, d);

    const int32_t layers = int32_t(stack.layers);
    const int32_t layer = config_.alignment_layer < 0 ? layers + config_.alignment_layer : config_.alignment_layer;
    if (layer < 0 || layer >= layers)
        fail(Status::bad_model, "decoder/alignment_layer: {} is outside the decoder's {} layers",
             config_.alignment_layer, layers);
    alignment_layer_ = uint32_t(layer);
    if (config_.alignment_first_head >= stack.heads)
        fail(Status::bad_model, "decoder/alignment_first_head: {} is outside the decoder's {} heads",
             config_.alignment_first_head, stack.heads);
    alignment_first_head_ = config_.alignment_heads == 0 ? 0 : config_.alignment_first_head;
    alignment_heads_ = config_.alignment_heads == 0
                           ? stack.heads
                           : std::min(config_.alignment_heads, stack.heads - alignment_first_head_);
}

void Transformer::describe() {
    const auto& [encoder, decoder] = std::tie(config_.encoder, config_.decoder);
    const uint64_t element = size_bytes(type_);
    const uint64_t width = uint64_t(decoder.heads) * decoder.head_dim;
    const bool cached = config_.autoregression == spec::Autoregression::self_attention;
    const uint64_t states = cached ? 0 : decoder.layers * 2ull * config_.d_model * sizeof(float);
    // Rows of the memory begin where a binding may, and at a whole vector.
    const uint64_t alignment = std::max<uint64_t>(store_.context().caps().storage_alignment, 16);
    const auto memory_alignment = uint32_t(alignment / std::gcd(alignment, 2 * width * element));
    const auto positions = [](const Embedding& e, const spec::StackConfig& stack) {
        const bool limited = e.max_positions && !stack.repeat_last_position;
        return limited ? e.max_positions : std::numeric_limits<uint32_t>::max();
    };
    info_ = {.target_vocabulary = config_.target_vocabulary,
             .max_source_positions = config_.has_encoder() ? std::min(positions(source_, encoder), ops::kMaxRows) : 0,
             .max_target_positions = positions(target_, decoder),
             .memory_bytes_per_token = config_.has_encoder() ? encoder_widths(config_).bytes_per_row(type_) +
                                                                   decoder.layers * 2 * width * element
                                                             : 0,
             .state_bytes_per_row = decoder_widths(config_).bytes_per_row(type_) + states,
             .cache_bytes_per_step = cached ? decoder.layers * 2 * width * element : 0,
             .largest_bytes_per_step = cached ? width * element : 0,
             .memory_alignment = memory_alignment,
             .encoder_width = config_.encoder.layers > 0 ? config_.source_width() : 0,
             .narrow = type_ == DType::f16,
             .alignment_next_step = config_.alignment_next_step,
             .gate_apart = config_.alignment_next_step && alignment_layer_ + 1 < decoder.layers};
}

std::unique_ptr<const Seq2Seq> Transformer::widened() const {
    std::unique_ptr<Transformer> wide(new Transformer(*this));
    wide->type_ = DType::f32;
    wide->describe();
    wide->count_operations();
    return wide;
}

void Transformer::count_operations() {
    uint64_t& largest = info_.operations_per_token;
    uint64_t& step = info_.operations_per_row;
    const auto encodes = [&](const Linear& linear) { largest = std::max(largest, operations(linear)); };
    const auto steps = [&](const auto& block) {
        for (const Linear* linear : products(block)) step += operations(*linear);
    };
    for (const EncoderLayer& layer : encoder_) {
        for (const Linear* linear : products(layer.attention)) encodes(*linear);
        for (const Linear* linear : products(layer.ffn)) encodes(*linear);
    }
    for (const DecoderLayer& layer : decoder_) {
        std::visit(steps, layer.earlier);
        if (layer.cross) {
            encodes(layer.cross->memory);
            steps(*layer.cross);
        }
        steps(layer.ffn);
    }
    step += operations(projection_);
}

std::unique_ptr<OutputSubset> Transformer::make_output_subset(uint32_t capacity) const {
    return make_subset(store_.context(), projection_, capacity);
}

void Transformer::select_outputs(Recorder& rec, const BufferView& ids, const Extent& count,
                                 OutputSubset& subset) const {
    select_subset(rec, projection_, ids, count, subset);
}

void Transformer::record_embedding(Recorder& rec, const Embedding& embedding, const BufferView& ids,
                                   const BufferView& rows_map, const BufferView& positions, bool zero_at_start,
                                   Activations& a) const {
    const Surroundings& around = embedding.around;
    const Tensor embedded = a.start ? a.start : a.x;
    for (const MatrixPart& part : embedding.table)
        ops::embed(rec, {.ids = ids,
                         .rows_map = rows_map,
                         .positions = positions,
                         .table = part.weight,
                         .units = part.scale_per_row ? part.units : BufferView(),
                         .begin = part.begin,
                         .vocabulary = embedding.vocabulary,
                         .position_table = embedding.positions,
                         .max_positions = embedding.max_positions,
                         .y = embedded,
                         .scale = embedding.scale,
                         .zero_at_start = zero_at_start,
                         .rows = a.rows});
    if (a.start) ops::activate(rec, a.start, a.x, Activation::none, a.rows);
    record_before(rec, a, around, a.x);
}

}  // namespace dragoman::nn
