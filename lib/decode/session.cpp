// SPDX-License-Identifier: Apache-2.0
#include "decode/session.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "decode/kernels.h"
#include "ops/matmul.h"
#include "ops/outputs.h"
#include "ops/sample.h"
#include "ops/topk.h"

namespace dragoman::decode {

using ops::BufferView;
using vulkan::BufferUse;

namespace {

constexpr uint32_t kNone = ~0u;
constexpr float kDisabled = std::numeric_limits<float>::lowest();  // a logit of a token that must not come

uint32_t round_up(uint32_t value, uint32_t multiple) { return (value + multiple - 1) / multiple * multiple; }

// Gives out words of a buffer, each piece where a binding may begin.
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
    progress_ = context_->buffer(PROGRESS_WORDS * 4, BufferUse::progress, "search/progress");
    std::memset(progress_->mapped(), 0, PROGRESS_WORDS * 4);
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
    forced_at_ = layout.place(uint64_t(shape_.slots) * shape_.forced_tokens);
    sampling_at_ = layout.place(rules_.sampling ? shape_.slots * kSamplingWords : 0);
    parameters_ = context_->buffer(layout.words() * 4ull, BufferUse::device, "search/parameters");
}

void Session::lay_out_outcome() {
    Layout layout(align_words_);
    layout.place(shape_.slots * OUTCOME_WORDS);
    push_.finished_at =
        layout.place(uint64_t(shape_.slots) * shape_.finished_capacity * (FINISHED_WORDS + shape_.max_length));
    push_.forced_scores_at = shape_.forced_scores ? layout.place(uint64_t(shape_.slots) * shape_.max_length) : kNone;
    partial_at_ = layout.place(uint64_t(shape_.slots) * shape_.max_length);
    outcome_ = context_->buffer(layout.words() * 4ull, BufferUse::progress, "search/outcome");
    const uint64_t weights =
        uint64_t(shape_.slots) * shape_.finished_capacity * shape_.max_length * shape_.longest_source;
    outcome_attention_ =
        context_->buffer(std::max<uint64_t>(weights, 1) * 4, BufferUse::device, "search/outcome_attention");
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
    const uint32_t head_words = layout.words();
    push_.ancestry_at = layout.place(2 * steps);
    push_.history_at = layout.place(steps);
    search_ = context_->buffer(layout.words() * 4ull, BufferUse::device, "search/state");
    const std::vector<uint32_t> nothing(head_words, 0);
    context_->upload(in_state(0, head_words), nothing.data(), head_words * 4ull);
    attention_ = context_->buffer(std::max<uint64_t>(steps * shape_.longest_source, 1) * 4, BufferUse::device,
                                  "search/attention");
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
    context_->upload({*parameters_, 0, data.size() * 4}, data.data(), data.size() * 4);

    push_.slots = shape_.slots;
    push_.beam = shape_.beam;
    push_.max_steps = shape_.max_steps();
    push_.max_length = shape_.max_length;
    push_.candidates = shape_.candidates;
    push_.finished_capacity = shape_.finished_capacity;
    push_.attention_stride = shape_.longest_source;
    push_.max_candidates = rules_.early_exit ? 0 : uint32_t(std::lround(float(rules_.beam_size) * rules_.patience));
    push_.num_hypotheses = rules_.num_hypotheses;
    push_.no_repeat_ngram_size = rules_.no_repeat_ngram_size;
    push_.repetition_penalty = rules_.repetition_penalty;
    push_.prefix_bias_beta = rules_.prefix_bias_beta;
}

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
    rec.dispatch(kernels::compact, {}, {BufferView(*search_), BufferView(*progress_)}, push_, {}, 1);
}

// Kernels are chosen by the most rows that may be live, so that a few sentences are not searched like a crowd.
const vulkan::CommandList& Session::step_list(uint32_t live_slots, bool processes) {
    uint32_t most = 1;
    while (most < live_slots) most *= 4;
    most = std::min(most, shape_.slots);
    std::unique_ptr<StepList>& list = steps_[{most, processes}];
    if (!list) list = record_step(most, processes);
    return *list->commands;
}

// Whether the rules may change logits so many steps from now. A slot that is live then was live in all of them.
bool Session::processes(uint32_t steps_ahead) const {
    if (shape_.process_logits) return true;
    for (uint32_t slot = 0; slot < shape_.slots; ++slot)
        if (places_[slot].taken && steps_done(slot) + steps_ahead < places_[slot].min_length) return true;
    return false;
}

std::unique_ptr<Session::StepList> Session::record_step(uint32_t most_slots, bool processes) {
    auto step = std::make_unique<StepList>();
    const uint32_t rows = shape_.rows();
    // On GPUs, workgroups of a few dead rows end sooner than a dispatch that counts the live ones.
    if (context_->caps().is_cpu() || most_slots * shape_.beam > ops::few_rows(context_->caps()))
        step->groups =
            std::make_unique<ops::GroupTable>(*context_, in_state(push_.counts_at, push_.counts_stride + 1));
    const ops::Extent live_rows{in_state(push_.counts_at, 1), most_slots * shape_.beam, step->groups.get()};
    const ops::Extent live_slots{in_state(push_.counts_at + push_.counts_stride, 1), most_slots,
                                 step->groups.get()};
    const uint32_t vocabulary = model_.info().target_vocabulary;
    const ops::Tensor logits{
        .data = *logits_, .dtype = DType::f32, .rows = rows, .cols = vocabulary, .stride = push_.logits_stride};

    ops::Recorder rec(context_);
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
                        .attention_stride = shape_.longest_source,
                        .attention_of = shape_.attention_of,
                        .rows = live_rows,
                        .outputs = outputs_.get()};
    if (shape_.longest_source > 0) input.attention = *attention_;
    if (outputs_) {
        const ops::Tensor allowed{.data = *allowed_logits_,
                                  .dtype = DType::f32,
                                  .rows = rows,
                                  .cols = allowed_capacity_,
                                  .stride = allowed_capacity_};
        model_.step(rec, input, *memory_, *state_, allowed);
        ops::Recorder::Pass pass(rec, "decoder/shortlist");
        const ops::Permission permission{.live_rows = input.live_rows, .beam = shape_.beam, .bits = *permitted_};
        ops::spread_columns(rec, allowed, *allowed_places_, logits, kDisabled, live_rows, &permission);
    } else {
        if (model_.writes_records()) {
            input.records = column_records();
            input.logits_unused =
                !processes && shape_.candidates == 1 && !shape_.forced_scores && push_.prefix_bias_beta == 0.0f &&
                !rules_.sampling;
        }
        model_.step(rec, input, *memory_, *state_, logits);
    }

    record_search(rec, live_rows, live_slots, logits, bool(input.records), processes);
    step->commands = rec.finish();
    if (step->groups) step->groups->upload(*context_);
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
    const auto topk = [&](uint32_t k, const BufferView& sum) {
        ops::topk(rec, {.x = logits,
                        .records = column_records(),
                        .k = k,
                        .values = values,
                        .columns = columns,
                        .log_sum = sum,
                        .rows = live_rows});
        if (shape_.style == spec::SearchStyle::marian && model_.info().log_probabilities) rec.fill(sum, 0);
    };
    if (!recorded) ops::record_columns(rec, logits, column_records(), live_rows);
    if (processes && (shape_.unprocessed_sum || shape_.log_penalty)) topk(1, unprocessed_sum);
    if (processes)
        rec.dispatch(kernels::process_logits, {},
                     {live_rows.count, BufferView(*parameters_), BufferView(*search_), unprocessed_sum,
                      BufferView(*logits_), column_records()},
                     push_, {}, ops::groups(live_rows, 1));
    topk(shape_.candidates, log_sum);
    if (rules_.sampling)
        ops::sample(rec, {.x = logits,
                          .records = column_records(),
                          .inputs = {*parameters_, sampling_at_ * 4ull, shape_.slots * kSamplingWords * 4ull},
                          .live_rows = in_state(push_.live_rows_at, rows),
                          .position = in_state(push_.position_at, rows),
                          .values = values,
                          .columns = columns,
                          .rows = live_rows});
    const auto step = [&](const auto& kernel) {
        rec.dispatch(kernel, {},
                     {live_slots.count, BufferView(*parameters_), BufferView(*logits_), values, columns,
                      processes && shape_.unprocessed_sum ? unprocessed_sum : log_sum, BufferView(*search_),
                      BufferView(*outcome_), BufferView(*attention_), BufferView(*outcome_attention_)},
                     push_, {}, ops::groups(live_slots, 1));
    };
    switch (shape_.style) {
        case spec::SearchStyle::ctranslate2: step(kernels::beam_step); break;
        case spec::SearchStyle::marian: step(kernels::beam_step_marian); break;
        case spec::SearchStyle::huggingface: step(kernels::beam_step_huggingface); break;
    }
    record_compact(rec);
}

void Session::advance(uint32_t steps, uint32_t together, Urgency least, SearchStats& stats) {
    DRAGOMAN_ASSERT(steps > 0 && together > 0);
    auto* progress = static_cast<volatile uint32_t*>(progress_->mapped());
    const bool begins = relist_ || least != least_;
    for (const uint32_t word : {PROGRESS_STEPS, PROGRESS_SLOT_STEPS, PROGRESS_ROW_STEPS}) progress[word] = 0;
    progress[PROGRESS_LEAST] = uint32_t(least);
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
        listed_slots_ = listed_rows_ = 0;  // made again
    }
    const auto live = std::ranges::count_if(places_, [&](const Places& p) { return p.taken && p.urgency >= least; });
    for (uint32_t i = 0; i < steps; ++i) lists.push_back(&step_list(uint32_t(live), processes(i)));
    std::span<const vulkan::CommandList* const> left(lists);
    for (; left.size() > steps + 1; left = left.subspan(1)) context_->submit(left.first(1));
    for (std::size_t n = left.size() - steps + std::min(steps, together); left.size() > n; n = together) {
        context_->submit(left.first(n));
        left = left.subspan(n);
    }
    context_->wait(context_->submit(left));

    // Each list counts for the step that follows it: the one before this chunk does, its own last one not yet.
    stats.decoder_steps += (listed_slots_ > 0) + progress[PROGRESS_STEPS] - (progress[PROGRESS_LIVE] > 0);
    stats.slot_steps += listed_slots_ + progress[PROGRESS_SLOT_STEPS] - progress[PROGRESS_LIVE];
    stats.row_steps += listed_rows_ + progress[PROGRESS_ROW_STEPS] - progress[PROGRESS_ROWS];
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
