// SPDX-License-Identifier: Apache-2.0
// Which kernels models of usual shapes use: the operations themselves say it, as they record into a recorder that only
// listens.
#include <algorithm>
#include <array>
#include <bit>

#include "check/check.h"
#include "base/activation.h"
#include "check/kernel_check.h"
#include "decode/beam_step_tile.h"
#include "ops/attention.h"
#include "ops/elementwise.h"
#include "ops/embed.h"
#include "ops/ensemble.h"
#include "ops/kernels.h"
#include "ops/matmul_int8.h"
#include "ops/matmul_tiles.h"
#include "ops/norm.h"
#include "ops/outputs.h"
#include "ops/pool.h"
#include "ops/sample.h"
#include "ops/softmax.h"
#include "ops/topk.h"
#include "vulkan/recorder.h"

namespace dragoman::check {
namespace {

using ops::Extent;
using ops::MatmulKernel;

constexpr uint32_t kWidth = 512, kVocabulary = 16384;
constexpr DType kFloats[] = {DType::f32, DType::f16};

// Kernels are only noted: nothing is read or written, and all tensors lie in one of a few buffers.
class Listener {
public:
    explicit Listener(vulkan::Context& context)
        : context_(context),
          rec_(context.shared_from_this(),
               [this](const vulkan::Shader& shader, vulkan::VariantKey key, std::span<const uint32_t> constants) {
                   add({&shader, key, {constants.begin(), constants.end()}});
               }) {
        for (auto& buffer : buffers_) buffer = context.buffer(kBytes, vulkan::BufferUse::device, "check");
    }

    std::vector<Use> run() {
        products();
        int8_products();
        attention();
        for (const DType type : kFloats) vectors(type);
        embeddings();
        search();
        return std::move(uses_);
    }

private:
    static constexpr uint64_t kBytes = 1 << 20;

    void add(Use use) {
        if (context_.can_run(*use.shader, use.key) && std::ranges::find(uses_, use) == uses_.end())
            uses_.push_back(std::move(use));
    }
    vulkan::BufferView at(uint32_t buffer) const { return *buffers_[buffer]; }
    Tensor tensor(uint32_t buffer, uint32_t rows, uint32_t cols, DType type, uint32_t stride = 0) const {
        return {.data = at(buffer), .dtype = type, .rows = rows, .cols = cols, .stride = stride ? stride : cols};
    }
    Extent live(uint32_t rows) const { return {.count = at(0), .capacity = rows}; }

    // Notes the picked kernel with all its tiles, and with its usual tile everything that products may ask for; then
    // its alternatives. `few`: only a part of that.
    void product(ops::MatmulArgs args, bool few) {
        const MatmulKernel picked = ops::pick_matmul(context_, args);
        args.bias = at(0);
        for (uint32_t tile = 0; tile < ops::matmul_tile_count(context_.caps(), args, picked); ++tile)
            ops::matmul(rec_, args, picked, tile);
        if (few) return;
        args.activation = Activation::relu;
        ops::matmul(rec_, args, picked);
        args.activation = Activation::none;
        args.residual = args.y;
        ops::matmul(rec_, args, picked);
        args.residual = {};
        if (args.y.dtype == DType::f32) {
            args.records = at(3);
            ops::matmul(rec_, args, picked);
            args.records = {};
        }
        if (picked == MatmulKernel::split || picked == MatmulKernel::coopmat) {
            args.norm = {
                .gamma = at(0), .beta = at(0), .epsilon = 1e-5f, .y = tensor(2, args.x.rows, args.w.k, args.x.dtype)};
            ops::matmul(rec_, args, picked);
            args.norm = {};
        }
        ops::matmul(rec_, args, MatmulKernel::tiled);
        // Rows begin at places that are no multiples of four.
        args.x.stride += 1;
        ops::matmul(rec_, args, ops::pick_matmul(context_, args));
    }

    void products() {
        for (const vulkan::ShaderVariant& variant : kernels::matmul_tiled.shader->variants) {
            const auto [x, w, y] = variant.key.types;
            if (w == DType::i8 || w == DType::i32) continue;
            if (!context_.can_run(*kernels::matmul_tiled.shader, variant.key)) continue;
            for (const uint32_t rows : {1u, 4u, 8u, 256u})
                for (const uint32_t n : {kWidth, kVocabulary}) {
                    if (n == kVocabulary && (rows != 8 || y != DType::f32)) continue;
                    product({.x = tensor(0, rows, kWidth, x),
                             .w = {.data = at(2), .dtype = w, .n = n, .k = kWidth},
                             .y = tensor(1, rows, n, y),
                             .rows = live(rows)},
                            rows < 8 || n == kVocabulary);
                }
        }
    }

    void int8_products() {
        using ops::Int8Products;
        for (const DType type : kFloats)
            for (const uint32_t rows : {1u, 4u, 8u, 256u}) {
                ops::MatmulInt8Args args{.x = tensor(0, rows, kWidth, type),
                                         .input_scale = 1.0f,
                                         .w = {.data = at(2), .dtype = DType::i8, .n = kWidth, .k = kWidth},
                                         .units = at(0),
                                         .y = tensor(1, rows, kWidth, type),
                                         .rows = live(rows)};
                args.bias = at(0);
                if (!context_.can_run(*kernels::matmul_tiled.shader, {type, DType::i32, type})) continue;
                ops::matmul_int8(rec_, args);
                ops::matmul_int8(rec_, args, MatmulKernel::tiled, Int8Products::plain);
                args.maxima = at(0);
                args.row_groups = {.map = at(0)};
                args.activation = Activation::relu;
                ops::matmul_int8(rec_, args);
                ops::row_maxima(rec_, args.x, args.row_groups, at(3), args.rows);
                args.row_groups = {};
                ops::matmul_int8(rec_, args);
                args.activation = Activation::none;
                ops::matmul_int8(rec_, args);
                args.residual = args.y;
                ops::matmul_int8(rec_, args);
            }
    }

    void attention() {
        for (const DType type : kFloats)
            for (const uint32_t head_dim : {64u, 32u, 18u}) {
                const ops::Heads heads{.count = 4, .head_dim = head_dim};
                const uint32_t d = heads.count * head_dim, rows = 64, steps = 8;
                for (const auto kernel : {ops::AttentionKernel::shared_memory, ops::AttentionKernel::subgroup,
                                          ops::AttentionKernel::texel, ops::AttentionKernel::coopmat}) {
                    const ops::EncoderAttentionArgs encoder{.qkv = tensor(0, rows, 3 * d, type),
                                                            .row_sentence = at(0),
                                                            .sentence_begin = vulkan::BufferView(*buffers_[0], 0, 8),
                                                            .y = tensor(1, rows, d, type),
                                                            .heads = heads,
                                                            .rows = live(rows)};
                    const auto takes = [&](ops::AttentionKernel wanted, std::initializer_list<Tensor> tensors) {
                        const auto picked = ops::pick_attention(context_.caps(), head_dim, tensors);
                        return kernel == wanted || kernel == picked ||
                               (kernel == ops::AttentionKernel::subgroup && picked == ops::AttentionKernel::texel);
                    };
                    const auto everywhere = ops::AttentionKernel::shared_memory;
                    if (kernel == ops::AttentionKernel::coopmat) {
                        if (ops::pick_encoder_attention(context_, encoder) == kernel)
                            ops::encoder_attention(rec_, encoder, kernel);
                        continue;
                    }
                    if (takes(everywhere, {encoder.qkv, encoder.y})) ops::encoder_attention(rec_, encoder, kernel);
                    for (const uint32_t beam : {1u, 4u}) {
                        const ops::StepSelfAttentionArgs self{.qkv = tensor(0, beam, 3 * d, type),
                                                              .keys = tensor(1, beam * steps, d, type),
                                                              .values = tensor(2, beam * steps, d, type),
                                                              .live_rows = at(0),
                                                              .position = at(0),
                                                              .ancestry = at(0),
                                                              .cache_rows = beam,
                                                              .max_steps = steps,
                                                              .beam = beam,
                                                              .y = tensor(3, beam, d, type),
                                                              .heads = heads,
                                                              .rows = live(beam)};
                        if (takes(everywhere, {self.qkv, self.keys, self.values, self.y}))
                            ops::step_self_attention(rec_, self, kernel);
                        const ops::StepCrossAttentionArgs cross{.q = tensor(0, beam, d, type),
                                                                .memory = tensor(1, rows, 2 * d, type),
                                                                .live_rows = at(0),
                                                                .source_begin = at(0),
                                                                .source_length = at(0),
                                                                .beam = beam,
                                                                .y = tensor(3, beam, d, type),
                                                                .heads = heads,
                                                                .rows = live(beam)};
                        if (takes(everywhere, {cross.q, cross.memory, cross.y}))
                            ops::step_cross_attention(rec_, cross, kernel);
                        if (kernel == everywhere) queries(cross);
                    }
                }
            }
    }

    // Notes cross-attention that computes its queries itself.
    void queries(ops::StepCrossAttentionArgs args) {
        const uint32_t rows = args.rows.capacity;
        args.source_length = vulkan::BufferView(*buffers_[0], 256, 256);
        for (const vulkan::ShaderVariant& variant : kernels::step_cross_attention_query.shader->variants) {
            const auto [type, view, w] = variant.key.types;
            if (type != args.q.dtype) continue;
            args.query = {.x = tensor(0, rows, kWidth, type),
                          .w = {.data = at(2), .dtype = w, .n = args.q.cols, .k = kWidth},
                          .bias = at(0)};
            if (!ops::fits_query(context_, args)) continue;
            for (const vulkan::BufferView& beta : {at(0), vulkan::BufferView()}) {
                args.query.norm = {.gamma = at(0), .beta = beta, .epsilon = 1e-5f, .y = tensor(2, rows, kWidth, type)};
                for (uint32_t tile = 0; tile < ops::kQueryTiles; ++tile)
                    ops::step_cross_attention_query(rec_, args, tile);
            }
            args.query.norm = {};
            ops::step_cross_attention_query(rec_, args, 0);
        }
    }

    void vectors(DType type) {
        constexpr uint32_t kRows = 4;
        const Tensor x = tensor(0, kRows, kWidth, type), y = tensor(1, kRows, kWidth, type);
        const Extent rows = live(kRows);
        for (const uint32_t cols : {kWidth, 2 * kWidth, 255u})
            ops::layer_norm(rec_, {.x = tensor(0, kRows, cols, type),
                                   .gamma = at(0),
                                   .beta = at(0),
                                   .y = tensor(1, kRows, cols, type),
                                   .rows = rows});
        ops::softmax(rec_, x, y, 1.0f, false, rows);
        for (const Activation activation :
             {Activation::relu, Activation::gelu_tanh, Activation::swish, Activation::gelu, Activation::gelu_sigmoid,
              Activation::tanh, Activation::sigmoid, Activation::none})
            for (const DType other : kFloats) ops::activate(rec_, x, tensor(1, kRows, kWidth, other), activation, rows);
        ops::add(rec_, x, x, y, rows);
        ops::gather_rows(rec_, x, at(0), y, rows);
        ops::pool(rec_, {.x = x, .begin = at(0), .y = tensor(1, kRows, kWidth, DType::f32), .sentences = rows});
        record_recurrent(rec_, *buffers_[3], type);
    }

    void embeddings() {
        for (const vulkan::ShaderVariant& variant : kernels::embed.shader->variants) {
            const DType words = variant.key.types[1], type = words == DType::i32 ? DType::i8 : words;
            ops::embed(rec_, {.ids = at(0),
                              .table = {.data = at(2), .dtype = type, .n = kWidth, .k = kWidth},
                              .y = tensor(1, 4, kWidth, variant.key.types[0]),
                              .rows = live(4)});
        }
    }

    void search() {
        constexpr uint32_t kRows = 4;
        const Tensor x = tensor(0, kRows, kWidth, DType::f32), y = tensor(1, kRows, kWidth, DType::f32);
        const Extent rows = live(kRows);
        ops::record_columns(rec_, x, at(3), rows);
        ops::record_columns(rec_, tensor(0, kRows, kWidth - 1, DType::f32), at(3), rows);
        for (const uint32_t k : {1u, 2u, 4u, 5u, 8u, 12u})
            ops::topk(
                rec_,
                {.x = x, .records = at(3), .k = k, .values = at(1), .columns = at(1), .log_sum = at(1), .rows = rows});
        ops::sample(rec_, {.x = x,
                           .records = at(3),
                           .inputs = at(0),
                           .live_rows = at(0),
                           .position = at(0),
                           .values = at(1),
                           .columns = at(1),
                           .rows = rows});
        const Weight all{.data = at(2), .dtype = DType::f32, .n = 128, .k = kWidth};
        ops::gather_outputs(rec_, all, at(0), {.data = at(1), .dtype = DType::f32, .n = 64, .k = kWidth}, live(64));
        ops::spread_columns(rec_, {.x = x, .places = at(0), .y = y, .records = at(3), .permission = {}, .rows = rows});
        ops::add_log_probs(rec_, {.x = x, .log_sum = at(2), .y = y, .rows = rows});
        add({kernels::group_arguments.shader, {}, {}});
        add({kernels::certainty.shader, {}, {}});
        const auto [lanes, in_step] = decode::lanes_tile(context_.caps());
        for (const vulkan::Shader* shader : {kernels::compact.shader, kernels::process_logits.shader})
            add({shader, {}, {lanes, in_step}});
        using decode::Merges;
        for (const kernels::BeamStep& kernel :
             {kernels::beam_step, kernels::beam_step_marian, kernels::beam_step_huggingface})
            for (const Merges merges : {Merges::nothing, Merges::lists, Merges::lists_and_sums})
                for (const uint32_t beam : {1u, 2u, 4u, 6u}) {
                    const auto tile = decode::beam_step_tile(context_.caps(), beam, beam > 1 ? 2 * beam : 1, merges);
                    const auto words = std::bit_cast<std::array<uint32_t, sizeof tile / 4>>(tile);
                    add({kernel.shader, {}, {words.begin(), words.end()}});
                }
        for (const kernels::BeamStepTerms& kernel :
             {kernels::beam_step_terms, kernels::beam_step_marian_terms, kernels::beam_step_huggingface_terms})
            for (const Merges merges : {Merges::nothing, Merges::lists_and_sums})
                for (const uint32_t beam : {4u, 6u}) {
                    const auto tile = decode::beam_step_terms_tile(context_.caps(), beam, 2 * beam + 1, merges);
                    const auto words = std::bit_cast<std::array<uint32_t, sizeof tile / 4>>(tile);
                    add({kernel.shader, {}, {words.begin(), words.end()}});
                }
    }

    vulkan::Context& context_;
    std::array<std::shared_ptr<vulkan::Buffer>, 4> buffers_;
    std::vector<Use> uses_;
    vulkan::Recorder rec_;
};

}  // namespace

std::vector<Use> usual_kernels(vulkan::Context& context) { return Listener(context).run(); }

}  // namespace dragoman::check
