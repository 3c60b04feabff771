// SPDX-License-Identifier: Apache-2.0
#include "decode/session.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "ops/topk.h"

namespace dragoman::decode {

using ops::BufferView;
using vulkan::BufferUse;

namespace {

constexpr uint32_t kNone = ~0u;

uint32_t round_up(uint32_t value, uint32_t multiple) { return (value + multiple - 1) / multiple * multiple; }

// Hands out words of a buffer; each piece starts where a binding may begin.
class Layout {
public:
    explicit Layout(uint32_t alignment) : alignment_(alignment) {}
    uint32_t place(uint64_t words) {
        const uint64_t begin = at_;
        at_ = (at_ + std::max<uint64_t>(words, 1) + alignment_ - 1) / alignment_ * alignment_;
        if (at_ > UINT32_MAX / 4)
            fail(Status::out_of_memory, "a search needs a buffer of {} bytes; it can have {}", at_ * 4, UINT32_MAX);
        return uint32_t(begin);
    }
    uint32_t words() const { return uint32_t(at_); }

private:
    uint64_t at_ = 0;
    uint32_t alignment_;
};

}  // namespace

Session::Session(std::shared_ptr<vulkan::Context> context, const nn::Seq2Seq& model, const SearchRules& rules,
                 const SessionShape& shape)
    : context_(std::move(context)), model_(model), rules_(rules), shape_(shape), places_(shape.slots),
      source_rows_(shape.source_tokens, model.info().memory_alignment), caches_(shape.cache_places) {
    align_words_ = std::max(context_->caps().storage_alignment / 4, 1u);
    for (uint32_t slot = 0; slot < shape_.slots; ++slot) free_slots_.insert(slot);
    const uint32_t rows = shape_.rows(), vocabulary = model_.info().target_vocabulary;
    memory_ = model_.make_encoder_memory(shape_.source_tokens);
    state_ = model_.make_state(rows, shape_.cache_places);
    lay_out_source();
    lay_out_parameters();
    lay_out_outcome();
    lay_out_state();

    push_.logits_stride = round_up(vocabulary, 4);
    logits_ = context_->buffer(uint64_t(rows) * push_.logits_stride * 4, BufferUse::device, "search/logits");
    progress_.emplace(*context_, PROGRESS_WORDS, "search/progress");
    progress_->fill(*context_, 0, PROGRESS_WORDS, 0);
    allocate_topk();
    upload_rules();
    if (!shape_.limited) return;
    allowed_tokens_.emplace(vocabulary);
    permitted_ = context_->buffer(uint64_t(shape_.slots) * ((vocabulary + 31) / 32) * 4, BufferUse::device,
                                  "search/permitted");
}

void Session::allocate_topk() {
    const uint32_t rows = shape_.rows();
    list_bytes_ = round_up(rows * shape_.candidates, align_words_) * 4ull;
    sum_bytes_ = round_up(rows, align_words_) * 4ull;
    const uint64_t scratch_bytes = ops::column_records_bytes(rows, model_.info().target_vocabulary);
    topk_ = context_->buffer(2 * list_bytes_ + 2 * sum_bytes_ + scratch_bytes, BufferUse::device, "search/topk");
}

void Session::lay_out_source() {
    Layout layout(align_words_);
    ids_at_ = layout.place(shape_.source_tokens);
    positions_at_ = layout.place(shape_.source_tokens);
    row_sentence_at_ = layout.place(shape_.source_tokens);
    sentence_begin_at_ = layout.place(shape_.slots + 1);
    token_count_at_ = layout.place(1);
    sentence_count_at_ = layout.place(1);
    source_begin_at_ = layout.place(shape_.slots);
    source_length_at_ = layout.place(shape_.slots);
    ranges_at_ = layout.place(2 * shape_.slots);
    source_ = context_->buffer(layout.words() * 4ull, BufferUse::device, "search/source");
}

void Session::lay_out_parameters() {
    Layout layout(align_words_);
    push_.inputs_at = layout.place(shape_.slots * INPUT_WORDS);
    push_.rules_at = layout.place(RULE_WORDS);
    push_.end_tokens_at = layout.place(shape_.rule_words);
    kinds_at_ = shape_.terms && rules_.kinds ? layout.place(rules_.kinds->size()) : kNone;
    forced_at_ = layout.place(uint64_t(shape_.slots) * shape_.forced_tokens);
    sampling_at_ = layout.place(rules_.sampling ? shape_.slots * kSamplingWords : 0);
    terms_at_ = layout.place(shape_.terms ? uint64_t(shape_.slots) * TERM_SLOT_WORDS : 0);
    parameters_ = context_->buffer(layout.words() * 4ull, BufferUse::device, "search/parameters");
}

void Session::lay_out_outcome() {
    Layout layout(align_words_);
    layout.place(shape_.slots * OUTCOME_WORDS);
    push_.finished_at =
        layout.place(uint64_t(shape_.slots) * shape_.finished_capacity * (FINISHED_WORDS + shape_.max_length));
    push_.forced_scores_at = shape_.forced_scores ? layout.place(uint64_t(shape_.slots) * shape_.max_length) : kNone;
    partial_at_ = layout.place(uint64_t(shape_.slots) * shape_.max_length);
    outcome_.emplace(*context_, layout.words(), "search/outcome");
    const uint64_t weights = uint64_t(shape_.slots) * shape_.finished_capacity * shape_.max_length *
                             shape_.attention_stride();
    outcome_attention_ = context_->buffer(std::max<uint64_t>(weights, 1) * 4, BufferUse::device,
                                          "search/outcome_attention");
}

void Session::lay_out_state() {
    const uint32_t rows = shape_.rows();
    const uint64_t steps = uint64_t(rows) * shape_.max_steps();
    Layout layout(align_words_);
    push_.live_rows_at = layout.place(rows);
    push_.live_slots_at = layout.place(shape_.slots);
    push_.counts_at = layout.place(1);
    push_.counts_stride = layout.place(1) - push_.counts_at;
    push_.slots_at = layout.place(shape_.slots * SLOT_WORDS);
    push_.tokens_at = layout.place(rows);
    push_.position_at = layout.place(rows);
    push_.scores_at = layout.place(rows);
    term_state_at_ = layout.place(shape_.terms ? uint64_t(rows) * TERM_STATE_WORDS : 0);
    const uint32_t head_words = layout.words();
    push_.ancestry_at = layout.place(2 * steps);
    push_.history_at = layout.place(steps);
    search_ = context_->buffer(layout.words() * 4ull, BufferUse::device, "search/state");
    const std::vector<uint32_t> nothing(head_words, 0);
    context_->upload(in_state(0, head_words), nothing.data(), head_words * 4ull);
    const uint64_t weights = steps * shape_.attention_stride();
    const bool gate_apart = shape_.terms && model_.info().gate_apart && shape_.attention_of.layer == 0;
    gate_at_ = gate_apart ? (weights + align_words_ - 1) / align_words_ * align_words_ : 0;
    attention_ = context_->buffer(std::max<uint64_t>(gate_at_ + weights, 1) * 4, BufferUse::device, "search/attention");
}

BufferView Session::in_state(uint32_t at, uint32_t words) const {
    return {*search_, uint64_t(at) * 4, uint64_t(words) * 4};
}

void Session::upload_rules() {
    std::vector<uint32_t> data(forced_at_, 0);
    uint32_t at = push_.end_tokens_at;
    const auto append = [&](std::span<const uint32_t> ids) {
        std::ranges::copy(ids, data.begin() + at);
        at += uint32_t(ids.size());
    };
    append(rules_.end_ids);
    push_.end_tokens = uint32_t(rules_.end_ids.size());
    push_.suppress_at = at;
    push_.suppressed = uint32_t(rules_.suppressed.size());
    for (const auto& sequence : rules_.suppressed) {
        data[at++] = uint32_t(sequence.size());
        append(sequence);
    }
    uint32_t* words = &data[push_.rules_at];
    words[RULE_FROM_START] = rules_.style == spec::SearchStyle::huggingface ? 1 : 0;
    words[RULE_PENALISE_LOG] = shape_.log_penalty ? 1 : 0;
    // Greedy search is a beam that the first end token fills.
    words[RULE_EARLY_STOPPING] = uint32_t(rules_.beam_size == 1 ? spec::EarlyStopping::on : rules_.early_stopping);
    words[RULE_LENGTH_PENALTY] = std::bit_cast<uint32_t>(rules_.length_penalty);
    words[RULE_FORCED_END] = rules_.forced_end.value_or(kNone);
    words[RULE_PARTIAL_AT] = partial_at_;
    words[RULE_VOCABULARY] = model_.info().target_vocabulary;
    words[RULE_TERMS_AT] = terms_at_;
    words[RULE_TERM_STATE_AT] = term_state_at_;
    words[RULE_KINDS_AT] = kinds_at_;
    words[RULE_GATE_AT] = uint32_t(gate_at_);
    words[RULE_LISTED_APART] = context_->caps().orders_workgroups ? 0 : 1;
    if (kinds_at_ != kNone) std::ranges::copy(*rules_.kinds, data.begin() + kinds_at_);
    context_->upload({*parameters_, 0, data.size() * 4}, data.data(), data.size() * 4);

    push_.slots = shape_.slots;
    push_.beam = shape_.beam;
    push_.max_steps = shape_.max_steps();
    push_.max_length = shape_.max_length;
    push_.candidates = shape_.candidates;
    push_.finished_capacity = shape_.finished_capacity;
    push_.attention_stride = shape_.attention_stride();
    push_.max_candidates = rules_.early_exit ? 0 : uint32_t(std::lround(float(rules_.beam_size) * rules_.patience));
    push_.num_hypotheses = rules_.num_hypotheses;
    push_.no_repeat_ngram_size = rules_.no_repeat_ngram_size;
    push_.repetition_penalty = rules_.repetition_penalty;
    push_.prefix_bias_beta = rules_.prefix_bias_beta;
}

void Session::advance(uint32_t steps, uint32_t together, Urgency least, SearchStats& stats) {
    DRAGOMAN_ASSERT(steps > 0 && together > 0);
    const uint64_t awaited = vulkan::pipelines_awaited();
    const bool begins = relist_ || least != least_;
    if (least != least_) progress_->fill(*context_, PROGRESS_LEAST, 1, uint32_t(least));
    least_ = least;
    std::vector<std::unique_ptr<vulkan::CommandList>> begin;
    std::vector<const vulkan::CommandList*> lists;
    if (begins) {
        if (entered_ == 0 && moves_.empty()) {
            if (!compact_) {
                ops::Recorder rec(context_);
                record_compact(rec);
                compact_ = rec.finish();
            }
            lists.push_back(compact_.get());
        } else {
            begin = record_begin();
            for (const auto& part : begin) lists.push_back(part.get());
        }
        listed_slots_ = listed_rows_ = 0;  // the lists are to be made again
    }
    const auto live = std::ranges::count_if(places_, [&](const Places& p) { return p.taken && p.urgency >= least; });
    for (uint32_t i = 0; i < steps; ++i) lists.push_back(&step_list(uint32_t(live), processes(i)));
    std::span<const vulkan::CommandList* const> left(lists);
    for (; left.size() > steps + 1; left = left.subspan(1)) context_->submit(left.first(1));
    for (std::size_t n = left.size() - steps + std::min(steps, together); left.size() > n; n = together) {
        context_->submit(left.first(n));
        left = left.subspan(n);
    }
    std::vector<const vulkan::CommandList*> last(left.begin(), left.end());
    if (const vulkan::CommandList* report = report_list()) last.push_back(report);
    const uint64_t submitted = context_->submit(last);
    const uint64_t now_awaited = vulkan::pipelines_awaited() - awaited;
    stats.pipelines_awaited += now_awaited;
    if (prepared_) stats.pipelines_late += now_awaited;
    prepare_later();
    context_->wait(submitted);

    const uint32_t* progress = progress_->words();
    const auto grown = [&](uint32_t word) {  // since the last chunk
        return progress[word] - std::exchange(counted_[word], progress[word]);
    };
    // Each list counts for the step that follows it: the one before this chunk counts, its own last one not yet.
    stats.decoder_steps += (listed_slots_ > 0) + grown(PROGRESS_STEPS) - (progress[PROGRESS_LIVE] > 0);
    stats.slot_steps += listed_slots_ + grown(PROGRESS_SLOT_STEPS) - progress[PROGRESS_LIVE];
    stats.row_steps += listed_rows_ + grown(PROGRESS_ROW_STEPS) - progress[PROGRESS_ROWS];
    listed_slots_ = progress[PROGRESS_LIVE];
    listed_rows_ = progress[PROGRESS_ROWS];
    stats.batches += entered_ > 0 ? 1 : 0;
    stats.dispatches_per_step = lists.back()->dispatches();
    relist_ = false;
    entered_ = entered_tokens_ = 0;
    moves_.clear();
    if (allowed_tokens_) allowed_tokens_->set_unchanged();
}

}  // namespace dragoman::decode
