// SPDX-License-Identifier: Apache-2.0
// The command lists of a session.
#include <algorithm>

#include "base/error.h"
#include "decode/beam_step_tile.h"
#include "decode/session.h"
#include "ops/matmul.h"
#include "ops/outputs.h"
#include "ops/sample.h"
#include "ops/topk.h"
#include "ops/work.h"

namespace dragoman::decode {

using ops::BufferView;

namespace {}

std::vector<std::unique_ptr<vulkan::CommandList>> Session::record_begin() {
    ops::Recorder rec(context_);
    const auto view = [&](uint32_t at, uint32_t words) {
        return BufferView(*source_, uint64_t(at) * 4, uint64_t(words) * 4);
    };
    for (const Move& move : moves_) model_.copy_places(rec, *state_, move.from, move.to, move.count);
    if (entered_tokens_ > 0)
        model_.encode(rec,
                      {.ids = view(ids_at_, entered_tokens_),
                       .positions = view(positions_at_, entered_tokens_),
                       .row_sentence = view(row_sentence_at_, entered_tokens_),
                       .sentence_begin = view(sentence_begin_at_, entered_ + 1),
                       .tokens = {.count = view(token_count_at_, 1), .capacity = entered_tokens_},
                       .sentences = {.count = view(sentence_count_at_, 1), .capacity = entered_},
                       .longest = entered_longest_,
                       .memory_begin = entered_at_,
                       .token_pairs = entered_pairs_},
                      *memory_);
    if (allowed_tokens_ && allowed_tokens_->changed())
        model_.select_outputs(rec, *allowed_, {.count = *allowed_count_, .capacity = allowed_capacity_}, *outputs_);
    record_compact(rec);
    return rec.finish_parts();
}

void Session::record_compact(ops::Recorder& rec) {
    rec.dispatch(kernels::compact, {}, {BufferView(*search_), BufferView(progress_->buffer())}, push_,
                 lanes_tile(rec.caps()), 1);
}

// Kernels are chosen by the most rows that may be live, so that a few sentences do not run with kernels for many.
const vulkan::CommandList& Session::step_list(uint32_t live_slots, bool processes) {
    uint32_t most = 1;
    while (most < live_slots) most *= 4;
    most = std::min(most, shape_.slots);
    std::unique_ptr<StepList>& list = steps_[{most, processes}];
    if (!list) {
        ops::Recorder rec(context_);
        list = record_step(rec, most, processes);
        list->commands = rec.finish();
        if (list->groups) list->groups->upload(*context_);
    }
    return *list->commands;
}

// Whether the rules may change logits that many steps from now. A slot that is live then was live in all steps before.
bool Session::processes(uint32_t steps_ahead) const {
    if (shape_.process_logits) return true;
    for (uint32_t slot = 0; slot < shape_.slots; ++slot)
        if (places_[slot].taken && steps_done(slot) + steps_ahead < places_[slot].min_length) return true;
    return false;
}

std::unique_ptr<Session::StepList> Session::record_step(ops::Recorder& rec, uint32_t most_slots, bool processes) {
    auto step = std::make_unique<StepList>();
    const uint32_t rows = shape_.rows();
    // On GPUs, workgroups of a few dead rows end sooner than a dispatch that counts the live ones takes.
    if (context_->caps().is_cpu() || most_slots * shape_.beam > ops::few_rows(context_->caps()))
        step->groups = std::make_unique<ops::GroupTable>(*context_, in_state(push_.counts_at, push_.counts_stride + 1));
    const ops::Extent live_rows{in_state(push_.counts_at, 1), most_slots * shape_.beam, step->groups.get()};
    const ops::Extent live_slots{in_state(push_.counts_at + push_.counts_stride, 1), most_slots, step->groups.get()};
    const uint32_t vocabulary = model_.info().target_vocabulary;
    const ops::Tensor logits{
        .data = *logits_, .dtype = DType::f32, .rows = rows, .cols = vocabulary, .stride = push_.logits_stride};

    rec.dispatch_only_if(live_slots.count);  // a chunk may go on after the end of its sentences
    if (step->groups) {
        ops::Recorder::Pass pass(rec, "decoder/extents");
        step->groups->record_update(rec);
    }
    nn::StepInput input{.tokens = in_state(push_.tokens_at, rows),
                        .position = in_state(push_.position_at, rows),
                        .live_rows = in_state(push_.live_rows_at, rows),
                        .ancestry = in_state(push_.ancestry_at, 2 * rows * shape_.max_steps()),
                        .cache_ranges = {*source_, ranges_at_ * 4ull, shape_.slots * 8ull},
                        .source_begin = {*source_, source_begin_at_ * 4ull, shape_.slots * 4ull},
                        .source_length = {*source_, source_length_at_ * 4ull, shape_.slots * 4ull},
                        .beam = shape_.beam,
                        .cache_rows = rows,
                        .max_steps = shape_.max_steps(),
                        .attention = {},
                        .attention_stride = shape_.attention_stride(),
                        .attention_of = shape_.attention_of,
                        .rows = live_rows,
                        .outputs = outputs_.get()};
    if (shape_.longest_source > 0 && (rules_.attention || gate_at_ == 0)) input.attention = *attention_;
    if (gate_at_ > 0) input.gate = {*attention_, gate_at_ * 4, attention_->size_bytes() - gate_at_ * 4};
    const bool only_topk = !processes && !shape_.forced_scores && push_.prefix_bias_beta == 0.0f && !rules_.sampling &&
                           !shape_.certainty;
    if (outputs_) {
        const ops::Tensor allowed{.data = *allowed_logits_,
                                  .dtype = DType::f32,
                                  .rows = rows,
                                  .cols = allowed_capacity_,
                                  .stride = allowed_capacity_};
        model_.step(rec, input, *memory_, *state_, allowed);
        ops::Recorder::Pass pass(rec, "decoder/shortlist");
        const ops::Permission permission{.live_rows = input.live_rows, .beam = shape_.beam, .bits = *permitted_};
        ops::spread_columns(rec, {.x = allowed,
                                  .places = *allowed_places_,
                                  .y = logits,
                                  .records = column_records(),
                                  .permission = permission,
                                  .whole = !only_topk,
                                  .rows = live_rows});
    } else {
        if (model_.writes_records()) {
            input.records = column_records();
            input.logits_unused = only_topk && shape_.candidates == 1;
        }
        model_.step(rec, input, *memory_, *state_, logits);
    }

    record_search(rec, live_rows, live_slots, logits, outputs_ || input.records, processes);
    if (!context_->caps().orders_workgroups) record_compact(rec);
    return step;
}

BufferView Session::column_records() const {
    const uint64_t begin = 2 * list_bytes_ + 2 * sum_bytes_;
    return {*topk_, begin, topk_->size_bytes() - begin};
}

void Session::record_search(ops::Recorder& rec, const ops::Extent& live_rows, const ops::Extent& live_slots,
                            const ops::Tensor& logits, bool recorded, bool processes) {
    const uint32_t rows = shape_.rows();
    ops::Recorder::Pass pass(rec, "decoder/search");
    const uint64_t list = uint64_t(rows) * shape_.candidates * 4;
    const BufferView values{*topk_, 0, list}, columns{*topk_, list_bytes_, list},
        log_sum{*topk_, 2 * list_bytes_, rows * 4ull},
        unprocessed_sum{*topk_, 2 * list_bytes_ + sum_bytes_, rows * 4ull};
    // Marian's search then takes the model's log-probabilities as they are.
    const bool normalised = shape_.style == spec::SearchStyle::marian && model_.info().log_probabilities;
    const auto best = [&](uint32_t k, const BufferView& sum) {
        return ops::TopkArgs{.x = logits,
                             .records = column_records(),
                             .k = k,
                             .values = values,
                             .columns = columns,
                             .log_sum = sum,
                             .rows = live_rows};
    };
    const auto topk = [&](uint32_t k, const BufferView& sum) {
        ops::topk(rec, best(k, sum));
        if (normalised) rec.fill(sum, 0);
    };
    if (!recorded) ops::record_columns(rec, logits, column_records(), live_rows);
    if (processes && (shape_.unprocessed_sum || shape_.log_penalty)) topk(1, unprocessed_sum);
    if (processes)
        rec.dispatch(kernels::process_logits, {},
                     {live_rows.count, BufferView(*parameters_), BufferView(*search_), unprocessed_sum,
                      BufferView(*logits_), column_records()},
                     push_, lanes_tile(rec.caps()), ops::groups(live_rows, 1));
    if (shape_.certainty) record_certainty(rec, live_rows, logits);
    const bool given_sum = processes && shape_.unprocessed_sum;
    Merges merges = given_sum || normalised ? Merges::lists : Merges::lists_and_sums;
    if (rules_.sampling) merges = Merges::nothing;
    const auto step_with = [&](const auto& kernel, const auto& tile_for) {
        auto tile = tile_for(rec.caps(), shape_.beam, shape_.candidates, merges);
        if (tile.merges && !rec.is_usable(kernel, {}, tile))
            tile = tile_for(rec.caps(), shape_.beam, shape_.candidates, Merges::nothing);
        if (!tile.merges) topk(shape_.candidates, log_sum);
        else ops::count_work(rec, best(shape_.candidates, log_sum));
        if (tile.merges && normalised) rec.fill(log_sum, 0);
        if (rules_.sampling) record_sampling(rec, live_rows, logits, values, columns);
        rec.dispatch(kernel, {},
                     {BufferView(*parameters_), BufferView(*logits_), column_records(), values, columns,
                      given_sum ? unprocessed_sum : log_sum, BufferView(*search_), BufferView(outcome_->buffer()),
                      BufferView(*attention_), BufferView(*outcome_attention_), BufferView(progress_->buffer())},
                     push_, tile, ops::groups(live_slots, 1));
    };
    const auto step = [&](const kernels::BeamStep& plain, const kernels::BeamStepTerms& with_terms) {
        if (shape_.terms) step_with(with_terms, beam_step_terms_tile);
        else step_with(plain, beam_step_tile);
    };
    switch (shape_.style) {
        case spec::SearchStyle::ctranslate2: step(kernels::beam_step, kernels::beam_step_terms); break;
        case spec::SearchStyle::marian: step(kernels::beam_step_marian, kernels::beam_step_marian_terms); break;
        case spec::SearchStyle::huggingface:
            step(kernels::beam_step_huggingface, kernels::beam_step_huggingface_terms);
            break;
    }
}

void Session::record_certainty(ops::Recorder& rec, const ops::Extent& live_rows, const ops::Tensor& logits) {
    rec.dispatch(kernels::certainty, {},
                 {live_rows.count, logits.data, column_records(), BufferView(*search_), BufferView(*attention_)},
                 {.live_rows_at = push_.live_rows_at,
                  .position_at = push_.position_at,
                  .scores_at = push_.scores_at,
                  .max_steps = push_.max_steps,
                  .cols = logits.cols,
                  .stride = logits.stride,
                  .attention_stride = push_.attention_stride,
                  .certainty_at = shape_.longest_source},
                 {}, ops::groups(live_rows, 1));
}

void Session::record_sampling(ops::Recorder& rec, const ops::Extent& live_rows, const ops::Tensor& logits,
                              const BufferView& values, const BufferView& columns) {
    const uint32_t rows = shape_.rows();
    ops::sample(rec, {.x = logits,
                      .records = column_records(),
                      .inputs = {*parameters_, sampling_at_ * 4ull, shape_.slots * kSamplingWords * 4ull},
                      .live_rows = in_state(push_.live_rows_at, rows),
                      .position = in_state(push_.position_at, rows),
                      .values = values,
                      .columns = columns,
                      .rows = live_rows});
}

// Copies the part of a chunk's results that the host reads, where a copy is needed.
const vulkan::CommandList* Session::report_list() {
    if (!report_ && outcome_->needs_copy()) {
        ops::Recorder rec(context_);
        progress_->record_copy(rec);
        outcome_->record_copy(rec);
        report_ = rec.finish();
    }
    return report_.get();
}

}  // namespace dragoman::decode
