// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "base/error.h"
#include "nn/operations.h"
#include "nn/recurrent_memory.h"
#include "nn/recurrent_network.h"
#include "ops/embed.h"

namespace dragoman::nn {

namespace {

// The tensor's rows from `row` on.
Tensor rows_from(Tensor tensor, uint32_t row) {
    const uint64_t skipped = uint64_t(row) * tensor.stride * size_bytes(tensor.dtype);
    tensor.data = {*tensor.data.buffer, tensor.data.offset + skipped, tensor.data.size_bytes - skipped};
    tensor.rows -= row;
    return tensor;
}

}  // namespace

uint64_t RecurrentNetwork::token_bytes() const {
    const uint64_t d = config_.state, c = config_.context(), wide = config_.encoder.gates() * d;
    return size_bytes(type_) * (2 * c + config_.embedding + 2 * wide + 2 * d + (config_.forward_layers ? 2 * d : 0)) +
           sizeof(float) * d;
}

uint64_t RecurrentNetwork::sentence_bytes() const {
    const uint64_t d = config_.state, wide = config_.encoder.gates() * d;
    return size_bytes(type_) * (2 * (wide + d) + config_.context() + d) +
           sizeof(float) * 2 * state_cols(cell_kind(config_.encoder), config_.state);
}

std::unique_ptr<EncoderMemory> RecurrentNetwork::make_encoder_memory(uint32_t source_tokens) const {
    auto memory = std::make_unique<RecurrentMemory>();
    memory->tokens = source_tokens;
    const auto add = [&](uint32_t cols, DType type, const char* name) {
        return memory->token_pool.add(store_.context(), source_tokens, cols, type, name);
    };
    const uint32_t d = config_.state;
    memory->context = add(config_.context(), type_, "memory/context");
    memory->keys = add(config_.context(), type_, "memory/keys");
    memory->start = add(d, DType::f32, "memory/start");
    if (store_.rounds_rows()) memory->token_maxima = add(1, DType::f32, "encoder/token_maxima");
    memory->embedded = add(config_.embedding, type_, "encoder/embedded");
    for (Tensor& inputs : memory->inputs) inputs = add(config_.encoder.gates() * d, type_, "encoder/inputs");
    for (Tensor& layer : memory->layers) layer = add(d, type_, "encoder/layer");
    if (config_.forward_layers > 0) memory->joined = add(2 * d, type_, "encoder/joined");
    return memory;
}

// Makes scratch for so many sentences.
void RecurrentNetwork::prepare(RecurrentMemory& memory, uint32_t sentences) const {
    if (sentences <= memory.sentences) return;
    memory.sentence_pool.clear();
    memory.sentences = std::max(2u, std::bit_ceil(sentences));  // an even number: fills are of whole words
    const auto add = [&](uint32_t cols, DType type, const char* name) {
        return memory.sentence_pool.add(store_.context(), memory.sentences, cols, type, name);
    };
    const uint32_t d = config_.state;
    for (CellState& state : memory.states)
        state = {.state = add(state_cols(cell_kind(config_.encoder), d), DType::f32, "encoder/state"),
                 .hidden = add(d, type_, "encoder/hidden"),
                 .product = add(config_.encoder.gates() * d, type_, "encoder/product")};
    memory.mean = add(config_.context(), type_, "encoder/mean");
    memory.mapped = add(d, type_, "encoder/mapped");
    if (store_.rounds_rows()) memory.sentence_maxima = add(1, DType::f32, "encoder/sentence_maxima");
}

void RecurrentNetwork::encode(Recorder& rec, const EncodeInput& input, EncoderMemory& memory_base) const {
    auto& memory = static_cast<RecurrentMemory&>(memory_base);
    DRAGOMAN_ASSERT(input.memory_begin + input.tokens.capacity <= memory.tokens);
    DRAGOMAN_ASSERT(input.sentences.capacity > 0 && input.longest > 0);
    prepare(memory, input.sentences.capacity);
    Cuts cuts(rec, input.operations_per_list);
    Activations tokens{}, sentences{};
    tokens.rows = input.tokens;
    sentences.rows = input.sentences;
    tokens.cuts = sentences.cuts = &cuts;
    tokens.maxima = memory.token_maxima.data;
    sentences.maxima = memory.sentence_maxima.data;
    cuts.begin_pass("encoder/embed");
    for (const MatrixPart& part : source_)
        ops::embed(rec, {.ids = input.ids,
                         .positions = input.positions,
                         .table = part.weight,
                         .units = part.units,
                         .begin = part.begin,
                         .vocabulary = config_.source_vocabulary,
                         .y = memory.embedded,
                         .rows = tokens.rows});
    cuts.begin_pass("encoder/recurrence");
    const Tensor context = rows_from(memory.context, input.memory_begin);
    record_layers(rec, input, memory, context, tokens, sentences);
    cuts.begin_pass("encoder/memory");
    record_normed_linear(rec, key_, context, rows_from(memory.keys, input.memory_begin), tokens);
    ops::sentence_mean(rec, context, input.sentence_begin, memory.mean, sentences.rows);
    const Tensor mapped = record_normed_linear(rec, start_, memory.mean, memory.mapped, sentences);
    ops::start_state(rec, mapped, input.sentence_begin, rows_from(memory.start, input.memory_begin), sentences.rows);
}

void RecurrentNetwork::record_layers(Recorder& rec, const EncodeInput& input, RecurrentMemory& memory,
                                     const Tensor& context, Activations& tokens, Activations& sentences) const {
    const Tensor& both = config_.forward_layers > 0 ? memory.joined : context;
    for (std::size_t i = 0; i < forward_.size(); ++i) {
        std::array<Run, 2> runs{};
        for (uint32_t lane = 0; lane < 2; ++lane) {
            const Layer& layer = lane == 0 ? forward_[i] : backward_[i];
            const Tensor& x = i == 0 ? memory.embedded : memory.layers[lane];
            runs[lane] = make_run(rec, layer, memory, lane, x, tokens);
            runs[lane].backward = config_.alternating ? lane != i % 2 : lane == 1;
            if (config_.skip && i > 0) runs[lane].residual = x;
            const bool last = i + 1 == forward_.size();
            runs[lane].out = last ? both : memory.layers[lane];
            runs[lane].out_column = last ? lane * config_.state : 0;
        }
        record_runs(rec, input, runs, sentences);
    }
    for (std::size_t i = 0; i < upper_.size(); ++i) {
        const Tensor& x = i == 0 ? both : memory.layers[0];
        Run run = make_run(rec, upper_[i], memory, 0, x, tokens);
        if (config_.skip && i > 0) run.residual = x;
        run.out = i + 1 == upper_.size() ? context : memory.layers[0];
        record_runs(rec, input, {&run, 1}, sentences);
    }
}

// Begins a run with zero states and the first cell's products of all tokens.
RecurrentNetwork::Run RecurrentNetwork::make_run(Recorder& rec, const Layer& layer, RecurrentMemory& memory,
                                                 uint32_t lane, const Tensor& x, Activations& tokens) const {
    const CellState& state = memory.states[lane];
    rec.fill(state.state.data, 0);
    rec.fill(state.hidden.data, 0);
    return {.layer = &layer,
            .backward = false,
            .inputs = record_linear(rec, layer.front().input, x, memory.inputs[lane], tokens),
            .state = state,
            .residual = {},
            .out = {},
            .out_column = 0};
}

// Lanes take turns, so that one need not wait for the other.
void RecurrentNetwork::record_runs(Recorder& rec, const EncodeInput& input, std::span<const Run> runs,
                                   Activations& sentences) const {
    for (uint32_t time = 0; time < input.longest; ++time)
        for (std::size_t j = 0; j < config_.encoder_depth; ++j)
            for (const Run& run : runs) {
                ops::GatedCellArgs args{};
                args.at = {.sentence_begin = input.sentence_begin, .time = time, .backward = run.backward};
                if (j == 0) args.input = run.inputs;
                if (j + 1 == config_.encoder_depth) {
                    args.residual = run.residual;
                    args.out = run.out;
                    args.out_column = run.out_column;
                }
                record_cell(rec, (*run.layer)[j], run.state, args, sentences);
            }
}

}  // namespace dragoman::nn
