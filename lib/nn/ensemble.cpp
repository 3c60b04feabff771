// SPDX-License-Identifier: Apache-2.0
#include "nn/ensemble.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "base/error.h"
#include "ops/ensemble.h"
#include "ops/topk.h"

namespace dragoman::nn {
namespace {

struct EnsembleMemory final : EncoderMemory {
    std::vector<std::unique_ptr<EncoderMemory>> members;
};

// The members' logits one after the other, and buffers for their sums.
struct EnsembleState final : State {
    std::vector<std::unique_ptr<State>> members;
    std::shared_ptr<vulkan::Buffer> logits, records, values, columns, log_sum;
    uint32_t rows = 0;
};

uint32_t stride(uint32_t vocabulary) { return (vocabulary + 3) / 4 * 4; }

}  // namespace

Ensemble::Ensemble(std::shared_ptr<vulkan::Context> context, std::vector<Member> members, Combination combination)
    : context_(std::move(context)), members_(std::move(members)), combination_(combination) {
    DRAGOMAN_ASSERT(!members_.empty());
    info_ = members_.front().model->info();
    for (const Member& member : std::span(members_).subspan(1)) {
        const Seq2SeqInfo& info = member.model->info();
        DRAGOMAN_ASSERT(info.target_vocabulary == info_.target_vocabulary);
        info_.max_source_positions = std::min(info_.max_source_positions, info.max_source_positions);
        info_.max_target_positions = std::min(info_.max_target_positions, info.max_target_positions);
        info_.memory_bytes_per_token += info.memory_bytes_per_token;
        info_.state_bytes_per_row += info.state_bytes_per_row;
        info_.cache_bytes_per_step += info.cache_bytes_per_step;
        info_.largest_bytes_per_step = std::max(info_.largest_bytes_per_step, info.largest_bytes_per_step);
        info_.memory_alignment = std::lcm(info_.memory_alignment, info.memory_alignment);
        info_.operations_per_token = std::max(info_.operations_per_token, info.operations_per_token);
        info_.operations_per_row += info.operations_per_row;
        info_.narrow |= info.narrow;
    }
    const uint32_t vocabulary = info_.target_vocabulary;
    info_.state_bytes_per_row += stride(vocabulary) * 4ull + ops::column_records_bytes(1, vocabulary) + 3 * 4;
    info_.log_probabilities = true;
    info_.encoder_width = 0;
}

std::unique_ptr<const Seq2Seq> Ensemble::widened() const {
    std::vector<Member> wide;
    for (const Member& member : members_) {
        wide.push_back({member.model->widened(), member.weight});
        if (!wide.back().model) return nullptr;
    }
    return std::make_unique<Ensemble>(context_, std::move(wide), combination_);
}

std::vector<ops::Product> Ensemble::measured_products() const {
    std::vector<ops::Product> products;
    for (const Member& member : members_)
        for (const ops::Product& product : member.model->measured_products()) products.push_back(product);
    return products;
}

std::vector<ops::AttentionShape> Ensemble::measured_attention() const {
    std::vector<ops::AttentionShape> shapes;
    for (const Member& member : members_)
        for (const ops::AttentionShape& shape : member.model->measured_attention()) shapes.push_back(shape);
    return shapes;
}

std::unique_ptr<EncoderMemory> Ensemble::make_encoder_memory(uint32_t source_tokens) const {
    auto memory = std::make_unique<EnsembleMemory>();
    for (const Member& member : members_) memory->members.push_back(member.model->make_encoder_memory(source_tokens));
    return memory;
}

std::unique_ptr<State> Ensemble::make_state(uint32_t rows, uint32_t places) const {
    auto state = std::make_unique<EnsembleState>();
    state->rows = rows;
    for (const Member& member : members_) state->members.push_back(member.model->make_state(rows, places));
    const auto buffer = [&](uint64_t bytes, const char* name) {
        return context_->buffer(bytes, vulkan::BufferUse::device, name);
    };
    const uint32_t vocabulary = info_.target_vocabulary;
    state->logits = buffer(uint64_t(rows) * stride(vocabulary) * 4, "ensemble/logits");
    state->records = buffer(ops::column_records_bytes(rows, vocabulary), "ensemble/records");
    state->values = buffer(rows * 4ull, "ensemble/values");
    state->columns = buffer(rows * 4ull, "ensemble/columns");
    state->log_sum = buffer(rows * 4ull, "ensemble/log_sum");
    return state;
}

void Ensemble::encode(Recorder& rec, const EncodeInput& input, EncoderMemory& memory_base) const {
    auto& memory = static_cast<EnsembleMemory&>(memory_base);
    for (std::size_t i = 0; i < members_.size(); ++i) members_[i].model->encode(rec, input, *memory.members[i]);
}

void Ensemble::step(Recorder& rec, const StepInput& input, const EncoderMemory& memory_base, State& state_base,
                    const Tensor& logits) const {
    const auto& memory = static_cast<const EnsembleMemory&>(memory_base);
    auto& state = static_cast<EnsembleState&>(state_base);
    DRAGOMAN_ASSERT(!input.outputs && !input.records);
    const uint32_t vocabulary = info_.target_vocabulary;
    const Tensor own{.data = *state.logits,
                     .dtype = DType::f32,
                     .rows = state.rows,
                     .cols = vocabulary,
                     .stride = stride(vocabulary)};
    for (std::size_t i = 0; i < members_.size(); ++i) {
        const Seq2Seq& model = *members_[i].model;
        StepInput member_input = input;
        if (i > 0) member_input.attention = member_input.gate = {};
        if (model.writes_records()) member_input.records = *state.records;
        model.step(rec, member_input, *memory.members[i], *state.members[i], own);
        Recorder::Pass pass(rec, "decoder/ensemble");
        if (!model.writes_records()) ops::record_columns(rec, own, *state.records, input.rows);
        ops::topk(rec, {.x = own,
                        .records = *state.records,
                        .k = 1,
                        .values = *state.values,
                        .columns = *state.columns,
                        .log_sum = *state.log_sum,
                        .rows = input.rows});
        ops::add_log_probs(rec, {.x = own,
                                 .log_sum = *state.log_sum,
                                 .weight = members_[i].weight,
                                 .first = i == 0,
                                 .probabilities = combination_ == Combination::probabilities,
                                 .y = logits,
                                 .rows = input.rows});
    }
}

void Ensemble::grow(Recorder& rec, State& state_base, uint32_t places) const {
    auto& state = static_cast<EnsembleState&>(state_base);
    for (std::size_t i = 0; i < members_.size(); ++i) members_[i].model->grow(rec, *state.members[i], places);
}

void Ensemble::copy_places(Recorder& rec, State& state_base, uint32_t from, uint32_t to, uint32_t count) const {
    auto& state = static_cast<EnsembleState&>(state_base);
    for (std::size_t i = 0; i < members_.size(); ++i)
        members_[i].model->copy_places(rec, *state.members[i], from, to, count);
}

}  // namespace dragoman::nn
