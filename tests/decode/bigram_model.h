// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <vector>

#include "nn/seq2seq.h"
#include "ops/embed.h"
#include "ops/weight.h"
#include "vulkan/context.h"

namespace dragoman::test {

// A language model whose logits depend on the last token alone, so that a plain loop can search it too.
class BigramModel final : public nn::Seq2Seq {
public:
    BigramModel(std::shared_ptr<vulkan::Context> context, uint32_t vocabulary, uint32_t seed) {
        std::mt19937 random(seed);
        std::normal_distribution<float> normal(0.0f, 2.0f);
        table.resize(uint64_t(vocabulary) * vocabulary);
        for (float& x : table) x = normal(random);
        std::vector<std::byte> packed(ops::panel_bytes(vocabulary, vocabulary, DType::f32));
        ops::pack_panels(table, vocabulary, DType::f32, packed);
        buffer_ = context->buffer(packed.size(), vulkan::BufferUse::device, "bigrams");
        context->upload(*buffer_, packed.data(), packed.size());
        info_.target_vocabulary = vocabulary;
        info_.max_source_positions = info_.max_target_positions = 1u << 20;
    }

    const nn::Seq2SeqInfo& info() const override { return info_; }
    std::unique_ptr<nn::Memory> make_memory(uint32_t) const override { return std::make_unique<nn::Memory>(); }
    std::unique_ptr<nn::State> make_state(uint32_t, uint32_t) const override { return std::make_unique<nn::State>(); }
    void encode(nn::Recorder&, const nn::EncodeInput&, nn::Memory&) const override {}
    void grow(nn::Recorder&, const nn::State&, nn::State&) const override {}
    void step(nn::Recorder& rec, const nn::StepInput& input, const nn::Memory&, nn::State&,
              const nn::Tensor& logits) const override {
        const uint32_t v = info_.target_vocabulary;
        ops::embed(rec, {.ids = input.tokens,
                         .rows_map = input.live_rows,
                         .positions = input.position,
                         .table = {.data = *buffer_, .dtype = DType::f32, .n = v, .k = v},
                         .y = logits,
                         .rows = input.rows});
    }

    std::vector<float> table;  // [last token][next token]

private:
    std::shared_ptr<vulkan::Buffer> buffer_;
    nn::Seq2SeqInfo info_;
};

}  // namespace dragoman::test
