// SPDX-License-Identifier: Apache-2.0
#include "decode/session.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "decode/kernels.h"
#include "ops/outputs.h"
#include "ops/topk.h"

namespace dragoman::decode {

using ops::BufferView;
using vulkan::BufferUse;

namespace {

constexpr uint32_t kNone = ~0u;
constexpr float kDisabled = std::numeric_limits<float>::lowest();  // a logit of a token that must not come

uint32_t round_up(uint32_t value, uint32_t multiple) { return (value + multiple - 1) / multiple * multiple; }

// Powers of two and the halves between: few shapes, little waste.
uint32_t bucket(uint32_t value, uint32_t least) {
    uint32_t size = least;
    while (size < value) size = size == 1 ? 2 : std::has_single_bit(size) ? size + size / 2 : size / 3 * 4;
    return size;
}

uint32_t longest_source_of(std::span<const SearchInput> batch) {
    uint32_t longest = 0;
    for (const SearchInput& input : batch) longest = std::max(longest, uint32_t(input.source.size()));
    return longest;
}

// Marian's suppressed tokens keep their probability. A few can be left to the search step, which passes over them in a
// list that is as much longer; else the sum is taken before they are disabled.
uint32_t passed_over_of(const SearchRules& rules) {
    constexpr std::size_t kFew = 4;
    const bool few = rules.suppressed.size() <= kFew &&
                     rules.candidates() + rules.suppressed.size() <= kMaxCandidates &&
                     std::ranges::all_of(rules.suppressed, [](const auto& sequence) { return sequence.size() == 1; });
    return rules.style == SearchStyle::marian && few ? uint32_t(rules.suppressed.size()) : 0;
}

}  // namespace

SessionShape SessionShape::of(std::span<const SearchInput> batch, const SearchRules& rules) {
    SessionShape shape;
    uint32_t tokens = 0, max_length = 1, words = uint32_t(rules.end_ids.size());
    for (const SearchInput& input : batch) {
        tokens += uint32_t(input.source.size());
        max_length = std::max(max_length, input.max_length);
        words += uint32_t(input.context.size() + input.prefix.size());
    }
    for (const auto& sequence : rules.suppressed) words += 1 + uint32_t(sequence.size());
    shape.style = rules.style;
    shape.slots = bucket(uint32_t(batch.size()), 1);
    shape.beam = rules.beam_size;
    shape.candidates = rules.candidates();
    shape.max_length = round_up(max_length, 32);
    shape.source_tokens = bucket(tokens, 32);
    shape.longest_source = rules.attention ? bucket(std::max(longest_source_of(batch), 1u), 16) : 0;
    if (rules.attention) shape.attention_of = rules.attention_of;
    const auto most = uint32_t(std::lround(float(rules.beam_size) * rules.patience));
    if (rules.style != SearchStyle::ctranslate2) shape.finished_capacity = rules.beam_size;
    else if (shape.candidates == 1) shape.finished_capacity = 1;
    else shape.finished_capacity = std::max(most, rules.num_hypotheses) + rules.beam_size;
    shape.parameter_words = bucket(words, 64);
    const uint32_t passed_over = passed_over_of(rules);
    shape.candidates += passed_over;
    shape.allowed = rules.allowed.empty() ? 0 : bucket(uint32_t(rules.allowed.size()), 64);
    shape.process_logits = rules.repetition_penalty != 1.0f || rules.no_repeat_ngram_size > 0 ||
                           rules.suppressed.size() > passed_over ||
                           std::ranges::any_of(batch, [](const SearchInput& i) {
                               return i.min_length > i.context.size() + i.prefix.size();
                           });
    const bool own_softmax = rules.style == SearchStyle::marian ||
                             (rules.style == SearchStyle::huggingface && rules.beam_size > 1);
    if (shape.process_logits && own_softmax) {
        shape.unprocessed_sum = rules.style == SearchStyle::marian || !rules.renormalize;
        shape.log_penalty = rules.repetition_penalty != 1.0f;
    }
    shape.forced_scores = rules.forced_scores;
    return shape;
}

bool SessionShape::fits(const SessionShape& other) const {
    return style == other.style && slots == other.slots && beam == other.beam && candidates == other.candidates &&
           unprocessed_sum == other.unprocessed_sum && log_penalty == other.log_penalty &&
           process_logits == other.process_logits && forced_scores == other.forced_scores &&
           attention_of == other.attention_of &&
           (longest_source == 0) == (other.longest_source == 0) && (allowed == 0) == (other.allowed == 0) &&
           allowed >= other.allowed && longest_source >= other.longest_source &&
           max_length >= other.max_length && source_tokens >= other.source_tokens &&
           finished_capacity >= other.finished_capacity && parameter_words >= other.parameter_words;
}

uint64_t Search::Session::largest_buffer_bytes(const nn::Seq2SeqInfo& info, const SessionShape& s,
                                               uint32_t max_steps) {
    const uint64_t rows = uint64_t(s.slots) * s.beam;
    return std::max({rows * max_steps * info.largest_bytes_per_step, rows * info.target_vocabulary * 4,
                     rows * max_steps * 3 * 4 + rows * 64, rows * max_steps * s.longest_source * 4,
                     uint64_t(s.slots) * s.finished_capacity * s.max_length * std::max(s.longest_source, 1u) * 4});
}

uint64_t Search::Session::total_bytes(const nn::Seq2SeqInfo& info, const SessionShape& s, uint32_t max_steps) {
    const uint64_t rows = uint64_t(s.slots) * s.beam;
    return rows * max_steps * (info.cache_bytes_per_step + 3 * 4 + s.longest_source * 4) +
           rows * (info.state_bytes_per_row + (info.target_vocabulary + s.allowed) * 4) +
           s.source_tokens * info.memory_bytes_per_token +
           uint64_t(s.slots) * s.finished_capacity * s.max_length * (s.longest_source + 1) * 4;
}

Search::Session::Session(std::shared_ptr<vulkan::Context> context, const nn::Seq2Seq& model,
                         const SessionShape& shape, uint32_t max_steps)
    : context_(std::move(context)), model_(model), shape_(shape), max_steps_(round_up(max_steps, 2)) {
    align_words_ = std::max(context_->caps().storage_alignment / 4, 1u);
    const uint32_t rows = shape_.slots * shape_.beam;
    const uint32_t vocabulary = model_.info().target_vocabulary;
    memory_ = model_.make_memory(shape_.source_tokens);
    if (shape_.allowed > 0) allocate_shortlist();

    uint32_t at = 0;
    const auto place = [&](uint32_t words) {
        const uint32_t begin = at;
        at = round_up(at + std::max(words, 1u), align_words_);
        return begin;
    };
    ids_at_ = place(shape_.source_tokens);
    positions_at_ = place(shape_.source_tokens);
    row_sentence_at_ = place(shape_.source_tokens);
    sentence_begin_at_ = place(shape_.slots + 1);
    source_begin_at_ = place(shape_.slots);
    source_length_at_ = place(shape_.slots);
    token_count_at_ = place(1);
    source_words_ = at;
    source_ = context_->buffer(uint64_t(source_words_) * 4, BufferUse::device, "search/source");

    push_.logits_stride = round_up(vocabulary, 4);
    logits_ = context_->buffer(uint64_t(rows) * push_.logits_stride * 4, BufferUse::device, "search/logits");
    progress_ = context_->buffer(PROGRESS_WORDS * 4, BufferUse::progress, "search/progress");

    at = 0;
    push_.inputs_at = place(shape_.slots * INPUT_WORDS);
    push_.rules_at = place(RULE_WORDS);
    push_.end_tokens_at = place(shape_.parameter_words);
    parameter_words_ = at;
    parameters_ = context_->buffer(uint64_t(parameter_words_) * 4, BufferUse::device, "search/parameters");

    at = 0;
    place(shape_.slots * OUTCOME_WORDS);
    push_.finished_at = place(shape_.slots * shape_.finished_capacity * (FINISHED_WORDS + shape_.max_length));
    push_.forced_scores_at = shape_.forced_scores ? place(shape_.slots * shape_.max_length) : kNone;
    outcome_words_ = at;
    outcome_ = context_->buffer(uint64_t(outcome_words_) * 4, BufferUse::progress, "search/outcome");
    const uint64_t attention_words =
        uint64_t(shape_.slots) * shape_.finished_capacity * shape_.max_length * shape_.longest_source;
    outcome_attention_ =
        context_->buffer(std::max<uint64_t>(attention_words, 1) * 4, BufferUse::device, "search/outcome_attention");

    list_bytes_ = round_up(rows * shape_.candidates, align_words_) * 4ull;
    sum_bytes_ = round_up(rows, align_words_) * 4ull;
    topk_ = context_->buffer(
        2 * list_bytes_ + 2 * sum_bytes_ + ops::column_records_bytes(rows, vocabulary),
        BufferUse::device, "search/topk");

    push_.slots = shape_.slots;
    push_.beam = shape_.beam;
    push_.max_length = shape_.max_length;
    push_.candidates = shape_.candidates;
    push_.finished_capacity = shape_.finished_capacity;
    push_.attention_stride = shape_.longest_source;
    allocate_search();
}

void Search::Session::lay_out() {
    const uint32_t rows = shape_.slots * shape_.beam;
    uint32_t at = 0;
    const auto place = [&](uint32_t words) {
        const uint32_t begin = at;
        at = round_up(at + words, align_words_);
        return begin;
    };
    push_.live_rows_at = place(rows);
    push_.live_slots_at = place(shape_.slots);
    push_.counts_at = place(1);
    push_.counts_stride = place(1) - push_.counts_at;
    push_.slots_at = place(shape_.slots * SLOT_WORDS);
    push_.tokens_at = place(rows);
    push_.position_at = place(rows);
    push_.scores_at = place(rows);
    state_head_words_ = at;
    push_.ancestry_at = place(2 * rows * max_steps_);
    push_.history_at = place(rows * max_steps_);
    state_words_ = at;
    push_.max_steps = max_steps_;
}

void Search::Session::allocate_shortlist() {
    const uint64_t rows = uint64_t(shape_.slots) * shape_.beam;
    outputs_ = model_.make_output_subset(shape_.allowed);
    allowed_ = context_->buffer(shape_.allowed * 4ull, BufferUse::device, "search/allowed");
    allowed_count_ = context_->buffer(4, BufferUse::device, "search/allowed_count");
    places_ = context_->buffer(model_.info().target_vocabulary * 4ull, BufferUse::device, "search/places");
    allowed_logits_ = context_->buffer(rows * shape_.allowed * 4, BufferUse::device, "search/allowed_logits");
}

void Search::Session::upload_shortlist(const SearchRules& rules) {
    if (shape_.allowed == 0) return;
    const uint32_t vocabulary = model_.info().target_vocabulary;
    std::vector<uint32_t> ids = rules.allowed, places(vocabulary, ops::kNoPlace);
    for (uint32_t i = 0; i < ids.size(); ++i) {
        if (ids[i] >= vocabulary)
            fail(Status::bad_model, "shortlist: token {} is outside the target vocabulary of {}", ids[i], vocabulary);
        places[ids[i]] = i;
    }
    const auto count = uint32_t(ids.size());
    ids.resize(shape_.allowed, 0);
    context_->upload(*allowed_, ids.data(), ids.size() * 4);
    context_->upload(*allowed_count_, &count, 4);
    context_->upload(*places_, places.data(), places.size() * 4);
}

void Search::Session::allocate_search() {
    lay_out();
    const uint32_t rows = shape_.slots * shape_.beam;
    state_ = model_.make_state(rows, max_steps_);
    search_ = context_->buffer(uint64_t(state_words_) * 4, BufferUse::device, "search/state");
    attention_ = context_->buffer(std::max<uint64_t>(uint64_t(rows) * max_steps_ * shape_.longest_source, 1) * 4,
                                  BufferUse::device, "search/attention");
    step_.reset();
}

BufferView Search::Session::in_state(uint32_t at, uint32_t words) const {
    return {*search_, uint64_t(at) * 4, uint64_t(words) * 4};
}

void Search::Session::set_rules(const SearchRules& rules, std::span<const SearchInput> batch) {
    parameter_data_.assign(parameter_words_, 0);
    uint32_t at = push_.end_tokens_at;
    const auto append = [&](std::span<const uint32_t> ids) {
        const uint32_t begin = at;
        std::ranges::copy(ids, parameter_data_.begin() + at);
        at += uint32_t(ids.size());
        return begin;
    };
    append(rules.end_ids);
    push_.end_tokens = uint32_t(rules.end_ids.size());
    push_.suppress_at = at;
    push_.suppressed = uint32_t(rules.suppressed.size());
    for (const auto& sequence : rules.suppressed) {
        parameter_data_[at++] = uint32_t(sequence.size());
        append(sequence);
    }
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const SearchInput& input = batch[i];
        uint32_t* words = &parameter_data_[push_.inputs_at + i * INPUT_WORDS];
        words[INPUT_CONTEXT] = uint32_t(input.context.size());
        const bool biased = rules.prefix_bias_beta > 0.0f;
        words[INPUT_PREFIX] = biased ? 0 : uint32_t(input.prefix.size());
        words[INPUT_BIASED] = biased ? uint32_t(input.prefix.size()) : 0;
        words[INPUT_FORCED_AT] = append(input.context);
        append(input.prefix);
        words[INPUT_MAX_LENGTH] = input.max_length;
        words[INPUT_MIN_LENGTH] = input.min_length;
        words[INPUT_START] = input.start_id;
    }
    uint32_t* words = &parameter_data_[push_.rules_at];
    words[RULE_FROM_START] = rules.style == SearchStyle::huggingface ? 1 : 0;
    words[RULE_PENALISE_LOG] = shape_.log_penalty ? 1 : 0;
    // Greedy search is a beam that the first end token fills.
    words[RULE_EARLY_STOPPING] = uint32_t(rules.beam_size == 1 ? EarlyStopping::on : rules.early_stopping);
    words[RULE_LENGTH_PENALTY] = std::bit_cast<uint32_t>(rules.length_penalty);
    words[RULE_FORCED_END] = rules.forced_end.value_or(kNone);
    DRAGOMAN_ASSERT(at <= parameter_words_);
    push_.max_candidates = rules.early_exit ? 0 : uint32_t(std::lround(float(rules.beam_size) * rules.patience));
    push_.num_hypotheses = rules.num_hypotheses;
    push_.no_repeat_ngram_size = rules.no_repeat_ngram_size;
    push_.repetition_penalty = rules.repetition_penalty;
    push_.prefix_bias_beta = rules.prefix_bias_beta;
}

void Search::Session::upload(std::span<const SearchInput> batch) {
    std::vector<uint32_t> source(source_words_, 0);
    uint32_t token = 0;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        source[sentence_begin_at_ + i] = source[source_begin_at_ + i] = token;
        source[source_length_at_ + i] = uint32_t(batch[i].source.size());
        for (uint32_t position = 0; position < batch[i].source.size(); ++position, ++token) {
            source[ids_at_ + token] = batch[i].source[position];
            source[positions_at_ + token] = position;
            source[row_sentence_at_ + token] = uint32_t(i);
        }
    }
    source[sentence_begin_at_ + batch.size()] = token;
    source[token_count_at_] = token;

    std::vector<uint32_t> head(state_head_words_, 0);
    for (std::size_t i = 0; i < batch.size(); ++i) {
        head[push_.slots_at + i * SLOT_WORDS + SLOT_ACTIVE] = 1;
        head[push_.slots_at + i * SLOT_WORDS + SLOT_WIDTH] = 1;
        head[push_.tokens_at + i * shape_.beam] = batch[i].start_id;
    }
    context_->upload(*source_, source.data(), source.size() * 4);
    context_->upload(*parameters_, parameter_data_.data(), parameter_data_.size() * 4);
    context_->upload(in_state(0, state_head_words_), head.data(), head.size() * 4);
    std::memset(progress_->mapped(), 0, PROGRESS_WORDS * 4);
    std::memset(outcome_->mapped(), 0, uint64_t(shape_.slots) * OUTCOME_WORDS * 4);
}

std::unique_ptr<vulkan::CommandList> Search::Session::record_begin(uint32_t source_tokens, uint32_t sentences) {
    ops::Recorder rec(context_);
    const auto view = [&](uint32_t at, uint32_t words) {
        return BufferView(*source_, uint64_t(at) * 4, uint64_t(words) * 4);
    };
    if (source_tokens > 0)
        model_.encode(rec,
                      {.ids = view(ids_at_, source_tokens),
                       .positions = view(positions_at_, source_tokens),
                       .row_sentence = view(row_sentence_at_, source_tokens),
                       .sentence_begin = view(sentence_begin_at_, sentences + 1),
                       .tokens = {.count = view(token_count_at_, 1), .capacity = source_tokens}},
                      *memory_);
    if (outputs_)
        model_.select_outputs(rec, *allowed_, {.count = *allowed_count_, .capacity = shape_.allowed}, *outputs_);
    rec.dispatch(kernels::compact, {}, {BufferView(*search_), BufferView(*progress_)}, push_, {}, 1);
    return rec.finish();
}

void Search::Session::record_step() {
    const uint32_t rows = shape_.slots * shape_.beam;
    row_groups_ = std::make_unique<ops::GroupTable>(*context_);
    slot_groups_ = std::make_unique<ops::GroupTable>(*context_);
    const ops::Extent live_rows{in_state(push_.counts_at, 1), rows, row_groups_.get()};
    const ops::Extent live_slots{in_state(push_.counts_at + push_.counts_stride, 1), shape_.slots,
                                 slot_groups_.get()};
    const uint32_t vocabulary = model_.info().target_vocabulary;
    const ops::Tensor logits{
        .data = *logits_, .dtype = DType::f32, .rows = rows, .cols = vocabulary, .stride = push_.logits_stride};

    ops::Recorder rec(context_);
    {
        ops::Recorder::Pass pass(rec, "decoder/extents");
        row_groups_->record_update(rec, live_rows.count);
        slot_groups_->record_update(rec, live_slots.count);
    }
    nn::StepInput input{.tokens = in_state(push_.tokens_at, rows),
                        .position = in_state(push_.position_at, rows),
                        .live_rows = in_state(push_.live_rows_at, rows),
                        .ancestry = in_state(push_.ancestry_at, 2 * rows * max_steps_),
                        .source_begin = {*source_, source_begin_at_ * 4ull, shape_.slots * 4ull},
                        .source_length = {*source_, source_length_at_ * 4ull, shape_.slots * 4ull},
                        .beam = shape_.beam,
                        .cache_rows = rows,
                        .max_steps = max_steps_,
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
                                  .cols = shape_.allowed,
                                  .stride = shape_.allowed};
        model_.step(rec, input, *memory_, *state_, allowed);
        ops::Recorder::Pass pass(rec, "decoder/shortlist");
        ops::spread_columns(rec, allowed, *places_, logits, kDisabled, live_rows);
    } else {
        if (model_.writes_records() && !shape_.process_logits) {
            input.records = column_records();
            input.logits_unused = shape_.candidates == 1 && !shape_.forced_scores && push_.prefix_bias_beta == 0.0f;
        }
        model_.step(rec, input, *memory_, *state_, logits);
    }

    record_search(rec, live_rows, live_slots, logits, bool(input.records));
    step_ = rec.finish();
    row_groups_->upload(*context_);
    slot_groups_->upload(*context_);
    recorded_push_ = push_;
}

BufferView Search::Session::column_records() const {
    const uint64_t begin = 2 * list_bytes_ + 2 * sum_bytes_;
    return {*topk_, begin, topk_->size_bytes() - begin};
}

void Search::Session::record_search(ops::Recorder& rec, const ops::Extent& live_rows, const ops::Extent& live_slots,
                                    const ops::Tensor& logits, bool recorded) {
    const uint32_t rows = shape_.slots * shape_.beam;
    ops::Recorder::Pass pass(rec, "decoder/search");
    const uint64_t list = uint64_t(rows) * shape_.candidates * 4;
    const BufferView values{*topk_, 0, list}, columns{*topk_, list_bytes_, list},
        log_sum{*topk_, 2 * list_bytes_, rows * 4ull},
        unprocessed_sum{*topk_, 2 * list_bytes_ + sum_bytes_, rows * 4ull};
    const auto topk = [&](uint32_t k, const BufferView& sum) {
        if (!recorded) ops::record_columns(rec, logits, column_records(), live_rows);
        ops::topk(rec, {.x = logits,
                        .records = column_records(),
                        .k = k,
                        .values = values,
                        .columns = columns,
                        .log_sum = sum,
                        .rows = live_rows});
    };
    if (shape_.unprocessed_sum || shape_.log_penalty) topk(1, unprocessed_sum);
    if (shape_.process_logits)
        rec.dispatch(kernels::process_logits, {},
                     {live_rows.count, BufferView(*parameters_), BufferView(*search_), unprocessed_sum,
                      BufferView(*logits_)},
                     push_, {}, ops::groups(live_rows, 1));
    topk(shape_.candidates, log_sum);
    const auto step = [&](const auto& kernel) {
        rec.dispatch(kernel, {},
                     {live_slots.count, BufferView(*parameters_), BufferView(*logits_), values, columns,
                      shape_.unprocessed_sum ? unprocessed_sum : log_sum, BufferView(*search_), BufferView(*outcome_),
                      BufferView(*attention_), BufferView(*outcome_attention_)},
                     push_, {}, ops::groups(live_slots, 1));
    };
    switch (shape_.style) {
        case SearchStyle::ctranslate2: step(kernels::beam_step); break;
        case SearchStyle::marian: step(kernels::beam_step_marian); break;
        case SearchStyle::huggingface: step(kernels::beam_step_huggingface); break;
    }
    rec.dispatch(kernels::compact, {}, {BufferView(*search_), BufferView(*progress_)}, push_, {}, 1);
}

void Search::Session::grow() {
    const uint32_t rows = shape_.slots * shape_.beam;
    const uint32_t old_steps = max_steps_;
    const shared::SearchPush old = push_;
    const auto old_search = search_, old_attention = attention_;
    auto old_state = std::move(state_);
    max_steps_ = round_up(std::min(2 * old_steps, shape_.max_length + 1), 2);
    allocate_search();

    ops::Recorder rec(context_);
    rec.copy({*old_search, 0, state_head_words_ * 4ull}, in_state(0, state_head_words_));
    for (uint32_t row = 0; row < 2 * rows; ++row)
        rec.copy({*old_search, (old.ancestry_at + row * old_steps) * 4ull, old_steps * 4ull},
                 in_state(push_.ancestry_at + row * max_steps_, old_steps));
    for (uint32_t row = 0; row < rows; ++row)
        rec.copy({*old_search, (old.history_at + row * old_steps) * 4ull, old_steps * 4ull},
                 in_state(push_.history_at + row * max_steps_, old_steps));
    if (const uint64_t stride = shape_.longest_source * 4ull; stride > 0)
        for (uint32_t row = 0; row < rows; ++row)
            rec.copy({*old_attention, row * old_steps * stride, old_steps * stride},
                     {*attention_, row * max_steps_ * stride, old_steps * stride});
    model_.grow(rec, *old_state, *state_);
    rec.dispatch(kernels::compact, {}, {BufferView(*search_), BufferView(*progress_)}, push_, {}, 1);
    const auto list = rec.finish();
    context_->wait(context_->submit(*list));
    record_step();
}

std::vector<SearchOutput> Search::Session::run(std::span<const SearchInput> batch, const SearchRules& rules,
                                               const Poll& poll, SearchStats& stats) {
    DRAGOMAN_ASSERT(batch.size() <= shape_.slots);
    set_rules(rules, batch);
    if (!step_ || std::memcmp(&push_, &recorded_push_, sizeof push_) != 0) record_step();
    upload(batch);
    upload_shortlist(rules);
    uint32_t source_tokens = 0, forced = 0, max_length = 1;
    for (const SearchInput& input : batch) {
        max_length = std::max(max_length, input.max_length);
        source_tokens += uint32_t(input.source.size());
        forced = std::max(forced, uint32_t(input.context.size() + input.prefix.size()));
    }
    const auto begin = record_begin(source_tokens, uint32_t(batch.size()));
    context_->submit(*begin);

    const auto* progress = static_cast<const volatile uint32_t*>(progress_->mapped());
    // Most translations are about as long as their source; steps past the end cost empty dispatches.
    uint32_t chunk = std::min(std::max(forced + longest_source_of(batch) + 4, 8u), max_length);
    for (;;) {
        context_->wait(context_->submit(*step_, chunk));
        const uint32_t live = progress[PROGRESS_LIVE], stalled = progress[PROGRESS_STALLED];
        if (live + stalled == 0) break;
        if (poll && !poll(batch.size() - live - stalled))
            fail(Status::cancelled, "translation cancelled by the progress callback");
        if (live == 0) grow();
        chunk = std::clamp(progress[PROGRESS_STEPS] / 4, 4u, 32u);
    }
    stats.batches += 1;
    stats.decoder_steps += progress[PROGRESS_STEPS];
    stats.dispatches_per_step = step_->dispatches();
    return collect(batch, rules);
}

std::vector<SearchOutput> Search::Session::collect(std::span<const SearchInput> batch, const SearchRules& rules) {
    const auto* words = static_cast<const uint32_t*>(outcome_->mapped());
    const uint64_t stride = shape_.longest_source;
    const uint64_t slot_floats = uint64_t(shape_.finished_capacity) * shape_.max_length * stride;
    std::vector<float> attention;
    if (rules.attention) {
        attention.resize(batch.size() * slot_floats);
        context_->readback({*outcome_attention_, 0, attention.size() * 4}, attention.data(), attention.size() * 4);
    }
    std::vector<SearchOutput> outputs(batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const uint32_t finished = words[i * OUTCOME_WORDS + OUTCOME_FINISHED];
        for (uint32_t place = 0; place < finished; ++place) {
            const uint32_t* entry = words + push_.finished_at + (i * shape_.finished_capacity + place) *
                                                                    (FINISHED_WORDS + shape_.max_length);
            const uint32_t length = entry[FINISHED_LENGTH];
            Hypothesis hypothesis;
            hypothesis.score = std::bit_cast<float>(entry[FINISHED_SCORE]);
            hypothesis.tokens.assign(entry + FINISHED_WORDS, entry + FINISHED_WORDS + length);
            if (rules.attention) {
                const float* rows = attention.data() + i * slot_floats + uint64_t(place) * shape_.max_length * stride;
                for (uint32_t t = 0; t < length; ++t)
                    hypothesis.attention.insert(hypothesis.attention.end(), rows + t * stride,
                                                rows + t * stride + batch[i].source.size());
            }
            outputs[i].hypotheses.push_back(std::move(hypothesis));
        }
        if (rules.forced_scores)
            for (uint32_t t = 0; t < batch[i].context.size(); ++t)
                outputs[i].forced_scores.push_back(
                    std::bit_cast<float>(words[push_.forced_scores_at + i * shape_.max_length + t]));
    }
    return outputs;
}

}  // namespace dragoman::decode
