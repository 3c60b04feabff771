// SPDX-License-Identifier: Apache-2.0
#include "nn/recurrent_network.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "nn/operations.h"
#include "nn/output_subset.h"
#include "nn/recurrent_memory.h"
#include "ops/additive_attention.h"
#include "ops/elementwise.h"
#include "ops/embed.h"

namespace dragoman::nn {

RecurrentNetwork::RecurrentNetwork(std::shared_ptr<vulkan::Context> context, const spec::RecurrentConfig& config,
                                   const spec::WeightMap& weights, NumberTypes types)
    : config_(config), store_(std::move(context), weights, types), type_(store_.type()) {
    load_encoder();
    load_decoder();
    describe();
}

void RecurrentNetwork::load_encoder() {
    const uint32_t d = config_.state, e = config_.embedding;
    const auto layers = [&](const char* name, uint32_t count, uint32_t inputs) {
        std::vector<Layer> loaded(count);
        for (uint32_t i = 0; i < count; ++i, inputs = d)
            for (uint32_t j = 0; j < config_.encoder_depth; ++j)
                loaded[i].push_back(load_cell(store_, fmt::format("encoder/{}_{}/cell_{}", name, i, j), config_.encoder,
                                              j == 0 ? inputs : 0, d));
        return loaded;
    };
    source_ = store_.table("encoder/embeddings_0/weight", config_.source_vocabulary, e);
    forward_ = layers("forward", config_.bidirectional_layers, e);
    backward_ = layers("backward", config_.bidirectional_layers, e);
    upper_ = layers("upper", config_.forward_layers, 2 * d);
}

void RecurrentNetwork::load_decoder() {
    const uint32_t d = config_.state, e = config_.embedding, c = config_.context();
    target_ = store_.table("decoder/embeddings/weight", config_.target_vocabulary, e);
    decoder_.resize(config_.decoder_layers);
    for (uint32_t i = 0; i < config_.decoder_layers; ++i)
        for (uint32_t j = 0; j < (i == 0 ? config_.base_depth : config_.high_depth); ++j) {
            const uint32_t first = i == 0 ? e : d, later = i == 0 && j == 1 ? c : 0;
            decoder_[i].push_back(load_cell(store_, fmt::format("decoder/layer_{}/cell_{}", i, j), config_.decoder,
                                            j == 0 ? first : later, d));
        }
    const auto load = [&](const char* scope, uint32_t n, uint32_t k) {
        return load_normed_linear(store_, scope, n, k, config_.layer_norm, config_.norm_epsilon);
    };
    query_ = load("decoder/attention/query", c, d);
    key_ = load("decoder/attention/key", c, c);
    attention_vector_ = store_.vector("decoder/attention/vector", c);
    start_ = load("decoder/start", d, c);
    output_.push_back(load("decoder/output/embedding", e, e));
    output_.push_back(load("decoder/output/state", e, d));
    output_.push_back(load("decoder/output/context", e, c));
    projection_ = load_linear(store_, "decoder/projection", config_.target_vocabulary, e);
}

void RecurrentNetwork::describe() {
    const uint32_t d = config_.state, e = config_.embedding, c = config_.context();
    const uint64_t element = size_bytes(type_);
    // Rows of the memory begin where a binding may, and at a whole vector.
    const uint64_t alignment = std::max<uint64_t>(store_.context().caps().storage_alignment, 16);
    const auto rows_apart = [&](uint64_t row_bytes) { return uint32_t(alignment / std::gcd(alignment, row_bytes)); };
    const uint32_t wide = config_.decoder.gates() * d, kept = state_cols(cell_kind(config_.decoder), d);
    info_ = {.target_vocabulary = config_.target_vocabulary,
             .max_source_positions = ops::kMaxRows,
             .max_target_positions = std::numeric_limits<uint32_t>::max(),
             // Sentences are rarely shorter than four tokens.
             .memory_bytes_per_token = token_bytes() + sentence_bytes() / 4,
             .state_bytes_per_row = element * (4ull * e + 2ull * wide + 2ull * d + 2ull * c) +
                                    sizeof(float) * kept * (2ull * config_.decoder_layers + 1),
             .memory_alignment = std::max(rows_apart(c * element), rows_apart(d * sizeof(float))),
             .narrow = type_ == DType::f16};
    const auto encodes = [&](const Linear& linear) {
        info_.operations_per_token = std::max(info_.operations_per_token, operations(linear));
    };
    for (const auto* layers : {&forward_, &backward_, &upper_})
        for (const Layer& layer : *layers)
            for (const Cell& cell : layer) {
                if (cell.input) encodes(cell.input);
                encodes(cell.state);
            }
    encodes(key_.linear);
    uint64_t& step = info_.operations_per_row;
    for (const Layer& layer : decoder_)
        for (const Cell& cell : layer) step += operations(cell.input) + operations(cell.state);
    for (const NormedLinear& linear : output_) step += operations(linear.linear);
    step += operations(query_.linear) + operations(projection_);
}

std::unique_ptr<const Seq2Seq> RecurrentNetwork::widened() const {
    std::unique_ptr<RecurrentNetwork> wide(new RecurrentNetwork(*this));
    wide->type_ = DType::f32;
    wide->describe();
    return wide;
}

std::unique_ptr<State> RecurrentNetwork::make_state(uint32_t rows, uint32_t) const {
    auto state = std::make_unique<RecurrentState>();
    state->rows = rows;
    const auto add = [&](uint32_t cols, const char* name) {
        return state->pool.add(store_.context(), rows, cols, type_, std::string("decoder/") + name);
    };
    const uint32_t d = config_.state, wide = config_.decoder.gates() * d;
    const uint32_t kept = state_cols(cell_kind(config_.decoder), d);
    state->embedded = add(config_.embedding, "embedded");
    state->inputs = add(wide, "inputs");
    state->layer = add(d, "layer");
    state->query = add(config_.context(), "query");
    state->context = add(config_.context(), "context");
    for (Tensor& output : state->output) output = add(config_.embedding, "output");
    if (store_.rounds_rows()) state->maxima = state->pool.add(store_.context(), rows, 1, DType::f32, "decoder/maxima");
    state->state = {.state = state->pool.add(store_.context(), rows, kept, DType::f32, "decoder/state"),
                    .hidden = add(d, "hidden"),
                    .product = add(wide, "product")};
    for (uint32_t i = 0; i < config_.decoder_layers; ++i)
        state->kept.push_back(state->pool.add(store_.context(), 2 * rows, kept, DType::f32,
                                              fmt::format("states/layer_{}", i)));
    return state;
}

void RecurrentNetwork::step(Recorder& rec, const StepInput& input, const EncoderMemory& memory_base, State& state_base,
                            const Tensor& logits) const {
    const auto& memory = static_cast<const RecurrentMemory&>(memory_base);
    auto& state = static_cast<RecurrentState&>(state_base);
    DRAGOMAN_ASSERT(input.cache_rows <= state.rows);
    Activations a{};
    a.rows = input.rows;
    a.maxima = state.maxima.data;
    {
        Recorder::Pass pass(rec, "decoder/embed");
        for (const MatrixPart& part : target_)
            ops::embed(rec, {.ids = input.tokens,
                             .rows_map = input.live_rows,
                             .positions = input.position,
                             .table = part.weight,
                             .units = part.units,
                             .begin = part.begin,
                             .vocabulary = config_.target_vocabulary,
                             .y = state.embedded,
                             .zero_at_start = true,
                             .rows = a.rows});
    }
    for (std::size_t i = 0; i < decoder_.size(); ++i) {
        Recorder::Pass pass(rec, "decoder/recurrence");
        record_layer(rec, input, memory, i, state, a);
    }
    Recorder::Pass pass(rec, "decoder/output");
    record_product(rec, output_projection(input.outputs, projection_),
                   {.x = record_deep_output(rec, state, a),
                    .y = logits,
                    .records = input.records,
                    .y_unused = input.logits_unused},
                   a);
}

void RecurrentNetwork::record_layer(Recorder& rec, const StepInput& input, const RecurrentMemory& memory, std::size_t i,
                                    RecurrentState& state, Activations& a) const {
    const ops::Recurrence recurrence{.states = state.kept[i],
                                     .live_rows = input.live_rows,
                                     .position = input.position,
                                     .ancestry = input.ancestry,
                                     .cache_rows = input.cache_rows,
                                     .max_steps = input.max_steps,
                                     .beam = input.beam};
    ops::load_cell_state(rec, recurrence, memory.start, input.source_begin, state.state.state, state.state.hidden,
                         a.rows);
    const Layer& layer = decoder_[i];
    for (std::size_t j = 0; j < layer.size(); ++j) {
        ops::GatedCellArgs args{};
        if (layer[j].input) {
            const Tensor& x = j > 0 ? state.context : i > 0 ? state.layer : state.embedded;
            args.input = record_linear(rec, layer[j].input, x, state.inputs, a);
        }
        if (j + 1 == layer.size()) {
            args.out = state.layer;
            if (config_.skip && i > 0) args.residual = state.layer;
        }
        record_cell(rec, layer[j], state.state, args, a);
        if (i == 0 && j == 0) record_attention(rec, input, memory, state, a);
    }
    ops::keep_cell(rec, recurrence, state.state.state, a.rows);
}

void RecurrentNetwork::record_attention(Recorder& rec, const StepInput& input, const RecurrentMemory& memory,
                                        RecurrentState& state, Activations& a) const {
    const Tensor query = record_normed_linear(rec, query_, state.state.hidden, state.query, a);
    ops::additive_attention(rec, {.q = query,
                                  .keys = memory.keys,
                                  .values = memory.context,
                                  .vector = attention_vector_,
                                  .live_rows = input.live_rows,
                                  .source_begin = input.source_begin,
                                  .source_length = input.source_length,
                                  .beam = input.beam,
                                  .y = state.context,
                                  .weights = input.attention,
                                  .position = input.position,
                                  .weights_stride = input.attention_stride,
                                  .max_steps = input.max_steps,
                                  .rows = a.rows});
}

// Computes tanh of the sum of three products.
Tensor RecurrentNetwork::record_deep_output(Recorder& rec, RecurrentState& state, Activations& a) const {
    const std::array inputs{state.embedded, state.layer, state.context};
    const Tensor& sum = state.output[0];
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Tensor y = record_normed_linear(rec, output_[i], inputs[i], state.output[i], a);
        if (i > 0) ops::add(rec, sum, y, sum, a.rows);
    }
    ops::activate(rec, sum, sum, Activation::tanh, a.rows);
    return sum;
}

std::unique_ptr<OutputSubset> RecurrentNetwork::make_output_subset(uint32_t capacity) const {
    return make_subset(store_.context(), projection_, capacity);
}

void RecurrentNetwork::select_outputs(Recorder& rec, const BufferView& ids, const Extent& count,
                                      OutputSubset& subset) const {
    select_subset(rec, projection_, ids, count, subset);
}

}  // namespace dragoman::nn
