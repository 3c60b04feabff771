// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "nn/seq2seq.h"
#include "ops/embed.h"
#include "ops/matmul.h"
#include "ops/outputs.h"
#include "ops/weight.h"
#include "vulkan/context.h"

namespace dragoman::test {

// A language model whose logits depend on the last token alone, so that a plain loop can search it too.
class BigramModel : public nn::Seq2Seq {
public:
    BigramModel(std::shared_ptr<vulkan::Context> context, uint32_t vocabulary, uint32_t seed, bool records = false)
        : seed_(seed), records_(records) {
        std::mt19937 random(seed);
        std::normal_distribution<float> normal(0.0f, 2.0f);
        table.resize(uint64_t(vocabulary) * vocabulary);
        for (float& x : table) x = normal(random);
        context_ = std::move(context);
        std::vector<float> by_next(table.size()), identity(table.size());
        for (uint32_t last = 0; last < vocabulary; ++last) {
            identity[last * vocabulary + last] = 1.0f;
            for (uint32_t next = 0; next < vocabulary; ++next)
                by_next[next * vocabulary + last] = table[last * vocabulary + next];
        }
        buffer_ = upload(table, vocabulary, "bigrams");
        by_next_ = upload(by_next, vocabulary, "bigrams/by_next");
        identity_ = upload(identity, vocabulary, "bigrams/identity");
        info_.target_vocabulary = vocabulary;
        info_.max_source_positions = info_.max_target_positions = 1u << 20;
    }

    const nn::Seq2SeqInfo& info() const override { return info_; }
    std::unique_ptr<nn::EncoderMemory> make_encoder_memory(uint32_t) const override {
        return std::make_unique<nn::EncoderMemory>();
    }
    std::unique_ptr<nn::State> make_state(uint32_t, uint32_t) const override { return std::make_unique<nn::State>(); }
    void encode(nn::Recorder&, const nn::EncodeInput&, nn::EncoderMemory&) const override {}
    void grow(nn::Recorder&, nn::State&, uint32_t) const override {}
    void copy_places(nn::Recorder&, nn::State&, uint32_t, uint32_t, uint32_t) const override {}
    void step(nn::Recorder& rec, const nn::StepInput& input, const nn::EncoderMemory&, nn::State&,
              const nn::Tensor& logits) const override {
        const uint32_t v = info_.target_vocabulary;
        const auto look_up = [&](const vulkan::Buffer& from, const nn::Tensor& y) {
            ops::embed(rec, {.ids = input.tokens,
                             .rows_map = input.live_rows,
                             .positions = input.position,
                             .table = {.data = from, .dtype = DType::f32, .n = v, .k = v},
                             .position_table = positions_ ? nn::BufferView(*positions_) : nn::BufferView{},
                             .max_positions = positions_ ? uint32_t(by_position.size() / v) : 0,
                             .y = y,
                             .rows = input.rows});
        };
        if (!input.outputs && !records_) return look_up(*buffer_, logits);
        const uint32_t rows = input.rows.capacity;
        const auto last = context_->buffer(uint64_t(rows) * v * 4, vulkan::BufferUse::device, "bigrams/last");
        const nn::Tensor x{.data = *last, .dtype = DType::f32, .rows = rows, .cols = v, .stride = v};
        look_up(*identity_, x);
        const nn::OutputSubset* some = input.outputs;
        ops::matmul(rec, {.x = x,
                          .w = some ? static_cast<const Outputs&>(*some).weight
                                    : ops::Weight{.data = *by_next_, .dtype = DType::f32, .n = v, .k = v},
                          .y = logits,
                          .records = input.records,
                          .y_unused = input.logits_unused,
                          .rows = input.rows});
    }
    bool writes_records() const override { return records_; }

    // From now on logits depend on the position, too, so that no two hypotheses have the same score.
    void depend_on_position(uint32_t positions) {
        std::mt19937 random(seed_ + 1);
        std::normal_distribution<float> normal(0.0f, 0.3f);
        by_position.resize(uint64_t(positions) * info_.target_vocabulary);
        for (float& x : by_position) x = normal(random);
        positions_ = context_->buffer(by_position.size() * 4, vulkan::BufferUse::device, "bigrams/positions");
        context_->upload(*positions_, by_position.data(), by_position.size() * 4);
    }
    // From now on logits after these tokens are no numbers, as after an overflow; those of widened() are.
    void overflow_after(const std::vector<uint32_t>& tokens) {
        const uint32_t v = info_.target_vocabulary;
        std::vector<float> rows = table;
        for (const uint32_t token : tokens)
            std::fill_n(rows.begin() + std::ptrdiff_t(token * v), v, std::numeric_limits<float>::quiet_NaN());
        buffer_ = upload(rows, v, "bigrams");
        info_.narrow = true;
    }
    std::unique_ptr<const nn::Seq2Seq> widened() const override {
        return std::make_unique<BigramModel>(context_, info_.target_vocabulary, seed_, records_);
    }

    std::unique_ptr<nn::OutputSubset> make_output_subset(uint32_t capacity) const override {
        const uint32_t v = info_.target_vocabulary;
        auto outputs = std::make_unique<Outputs>();
        outputs->buffer = context_->buffer(ops::panel_bytes(capacity, v, DType::f32), vulkan::BufferUse::device,
                                           "bigrams/outputs");
        outputs->weight = {.data = *outputs->buffer, .dtype = DType::f32, .n = capacity, .k = v};
        return outputs;
    }
    void select_outputs(nn::Recorder& rec, const nn::BufferView& ids, const nn::Extent& count,
                        nn::OutputSubset& subset) const override {
        const uint32_t v = info_.target_vocabulary;
        ops::gather_outputs(rec, {.data = *by_next_, .dtype = DType::f32, .n = v, .k = v}, ids,
                            static_cast<Outputs&>(subset).weight, count);
    }

    std::vector<float> table;  // [last token][next token]
    std::vector<float> by_position;  // [position][next token]; empty: it does not count

private:
    struct Outputs final : nn::OutputSubset {
        std::shared_ptr<vulkan::Buffer> buffer;
        ops::Weight weight;
    };
    std::shared_ptr<vulkan::Buffer> upload(const std::vector<float>& rows, uint32_t k, const char* name) {
        std::vector<std::byte> packed(ops::panel_bytes(uint32_t(rows.size() / k), k, DType::f32));
        ops::pack_panels(rows, k, DType::f32, packed);
        auto buffer = context_->buffer(packed.size(), vulkan::BufferUse::device, name);
        context_->upload(*buffer, packed.data(), packed.size());
        return buffer;
    }

    uint32_t seed_ = 0;
    bool records_ = false;
    std::shared_ptr<vulkan::Context> context_;
    std::shared_ptr<vulkan::Buffer> buffer_, by_next_, identity_, positions_;
    nn::Seq2SeqInfo info_;
};

}  // namespace dragoman::test
