// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <variant>
#include <vector>

#include "ops/kernels.h"
#include "ops/tune_measure.h"
#include "vulkan/context.h"
#include "vulkan/tuning.h"

namespace dragoman::ops {
namespace {

using AnyArgs = std::variant<EncoderAttentionArgs, StepSelfAttentionArgs, StepCrossAttentionArgs>;

constexpr uint32_t kFewSentences = 32, kManySentences = 512;  // of usual batches
constexpr uint32_t kTokens = 32, kSteps = 64;

void run(Recorder& rec, const EncoderAttentionArgs& args, AttentionVariant c) { encoder_attention(rec, args, c); }
void run(Recorder& rec, const StepSelfAttentionArgs& args, AttentionVariant c) { step_self_attention(rec, args, c); }
void run(Recorder& rec, const StepCrossAttentionArgs& args, AttentionVariant c) { step_cross_attention(rec, args, c); }

// The number of rows that read the same keys, as far as tiles depend on it.
uint32_t sharers(uint32_t beam) { return std::min(std::bit_ceil(std::max(beam, 1u)), 8u); }

std::string key_of(const AttentionShape& shape, AttentionKernel picked) {
    const vulkan::Shader* shaders[] = {kernels::encoder_attention.shader, kernels::step_self_attention.shader,
                                       kernels::step_cross_attention.shader};
    const vulkan::Shader& shader = *shaders[std::size_t(shape.use)];
    uint64_t hash = code_hash(shader, {shape.type, DType::u32});
    if (picked == AttentionKernel::coopmat)
        hash = hash * 31 + code_hash(*kernels::encoder_attention_coopmat.shader, {shape.type, DType::u32});
    return fmt::format("{} {:016x} {} {}x{} {}{}", shader.name, hash, name(shape.type), shape.heads, shape.head_dim,
                       shape.use == AttentionUse::step_cross ? sharers(shape.beam) : 1, shape.many_rows ? " many" : "");
}

class AttentionBench {
public:
    AttentionBench(vulkan::Context& context, const AttentionShape& shape)
        : context_(context), width_(shape.heads * shape.head_dim), type_(shape.type) {
        const uint32_t sentences = shape.many_rows ? kManySentences : kFewSentences;
        const uint32_t rows = sentences * (shape.use == AttentionUse::encoder ? kTokens : shape.beam);
        const Heads heads{.count = shape.heads, .head_dim = shape.head_dim};
        const uint32_t elements = shape.use == AttentionUse::step_cross ? std::max(rows, sentences * kTokens * 2)
                                                                        : std::max(rows * 4, rows * kSteps * 2);
        const uint64_t bytes = uint64_t(elements) * width_ * size_bytes(type_);
        if (bytes > context.caps().max_storage_range_bytes || bytes > context.available_bytes() / 2) return;
        const Extent extent{.count = numbers({rows}), .capacity = rows};
        const auto live = [&] {
            std::vector<uint32_t> each(rows);
            std::iota(each.begin(), each.end(), 0u);
            return numbers(each);
        };
        const auto every = [&](uint32_t step, uint32_t count) {
            std::vector<uint32_t> begins(count);
            for (uint32_t i = 0; i < count; ++i) begins[i] = i * step;
            return numbers(begins);
        };
        switch (shape.use) {
            case AttentionUse::encoder: {
                std::vector<uint32_t> sentence_of(rows);
                for (uint32_t row = 0; row < rows; ++row) sentence_of[row] = row / kTokens;
                args_ = EncoderAttentionArgs{.qkv = zeros(rows, 3),
                                             .row_sentence = numbers(sentence_of),
                                             .sentence_begin = every(kTokens, sentences + 1),
                                             .y = zeros(rows, 1),
                                             .heads = heads,
                                             .rows = extent};
                break;
            }
            case AttentionUse::step_self:
                args_ = StepSelfAttentionArgs{.qkv = zeros(rows, 3),
                                              .keys = zeros(rows * kSteps, 1),
                                              .values = zeros(rows * kSteps, 1),
                                              .live_rows = live(),
                                              .position = numbers(std::vector(rows, kSteps / 2)),
                                              .ancestry = numbers(std::vector(2 * rows * kSteps, 0u)),
                                              .cache_rows = rows,
                                              .max_steps = kSteps,
                                              .beam = shape.beam,
                                              .y = zeros(rows, 1),
                                              .heads = heads,
                                              .rows = extent};
                break;
            case AttentionUse::step_cross:
                args_ = StepCrossAttentionArgs{.q = zeros(rows, 1),
                                               .memory = zeros(sentences * kTokens, 2),
                                               .live_rows = live(),
                                               .source_begin = every(kTokens, sentences),
                                               .source_length = numbers(std::vector(sentences, kTokens)),
                                               .beam = shape.beam,
                                               .y = zeros(rows, 1),
                                               .heads = heads,
                                               .rows = extent};
        }
    }

    bool fits() const { return !buffers_.empty(); }

    double seconds(AttentionVariant choice, double least) const {
        return std::visit(
            [&](const auto& args) {
                Recorder rec(context_.shared_from_this());
                if (!is_usable(rec, args, choice)) return kNever;
                run(rec, args, choice);
                return seconds_of(context_, *rec.finish(), 1, least);
            },
            args_);
    }

    AttentionKernel picked() const {
        const auto* encoder = std::get_if<EncoderAttentionArgs>(&args_);
        return encoder ? pick_encoder_attention(context_, *encoder) : pick_attention(context_.caps());
    }

private:
    vulkan::BufferView allocate(uint64_t bytes) {
        buffers_.push_back(context_.buffer(bytes, vulkan::BufferUse::device, "tuning"));
        return vulkan::BufferView(*buffers_.back());
    }

    vulkan::BufferView numbers(const std::vector<uint32_t>& values) {
        const vulkan::BufferView view = allocate(values.size() * sizeof(uint32_t));
        context_.upload(view, values.data(), values.size() * sizeof(uint32_t));
        return view;
    }

    Tensor zeros(uint32_t rows, uint32_t widths) {
        const uint32_t cols = widths * width_;
        const vulkan::BufferView view = allocate(uint64_t(rows) * cols * size_bytes(type_));
        Recorder rec(context_.shared_from_this());
        rec.fill(view, 0);
        context_.wait(context_.submit(*rec.finish()));
        return {.data = view, .dtype = type_, .rows = rows, .cols = cols, .stride = cols};
    }

    vulkan::Context& context_;
    const uint32_t width_;
    const DType type_;
    std::vector<std::shared_ptr<vulkan::Buffer>> buffers_;
    AnyArgs args_;
};

}  // namespace

uint32_t tune_attention(vulkan::Context& context, std::span<const AttentionShape> shapes, const Budget& budget) {
    uint32_t chosen = 0;
    if (context.caps().is_cpu()) return chosen;
    std::vector<AttentionShape> all(shapes.begin(), shapes.end());
    for (AttentionShape shape : shapes) {
        shape.many_rows = shape.use == AttentionUse::step_cross;
        if (shape.many_rows) all.push_back(shape);
    }
    for (const AttentionShape& shape : all) {
        // The rows' elements are read in whole loads, as in real models.
        if (shape.head_dim % 8 != 0) continue;
        if (budget.spent()) return chosen;
        const auto is_known = [&](AttentionKernel picked) { return context.tuning().find(key_of(shape, picked)); };
        if (is_known(AttentionKernel::shared_memory) &&
            (shape.use != AttentionUse::encoder || is_known(AttentionKernel::coopmat)))
            continue;
        const AttentionBench bench(context, shape);
        if (!bench.fits()) continue;
        const AttentionKernel kernels[] = {bench.picked(), AttentionKernel::shared_memory};
        for (const AttentionKernel picked : std::span(kernels).first(kernels[0] == kernels[1] ? 1 : 2)) {
            const std::string key = key_of(shape, picked);
            if (context.tuning().find(key)) continue;
            const auto choices = attention_variants(picked);
            const auto best =
                fastest(uint32_t(choices.size()), kKernelMargin, budget,
                        [&](uint32_t choice, double least) { return bench.seconds(choices[choice], least); });
            if (!best) continue;
            keep(context, key, *best);
            ++chosen;
        }
    }
    return chosen;
}

std::optional<uint32_t> measured_attention(const vulkan::Context& context, const AttentionShape& shape,
                                           AttentionKernel picked) {
    const auto choice = measured(context, [&] { return key_of(shape, picked); });
    if (choice || !shape.many_rows) return choice;
    AttentionShape few = shape;
    few.many_rows = false;
    return measured(context, [&] { return key_of(few, picked); });
}

}  // namespace dragoman::ops
