// SPDX-License-Identifier: Apache-2.0
#include "engine/search.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "decode/terms.h"
#include "nn/seq2seq.h"
#include "ops/matmul.h"

namespace dragoman::engine {

using decode::Hypothesis;
using decode::SearchInput;
using decode::SearchOutput;
using decode::SearchRules;

namespace {

// A step is never in more than one submission, nor is a product of the encoder, so large models get fewer rows and
// tokens. With the fewest rows a step mostly waits for the weights: fewer rows would not be faster.
decode::StreamLimits integrated_limits(const nn::Seq2SeqInfo& info, uint32_t beam_size) {
    const auto within = [](uint64_t budget, uint64_t operations, uint64_t least, uint64_t most) {
        return uint32_t(std::clamp(budget / std::max<uint64_t>(operations, 1), least, most));
    };
    const uint32_t rows = within(nn::kOperationsPerStep, info.operations_per_row, ops::kFewRows, ops::kMaxRows);
    const uint32_t sentences = std::max(rows / beam_size, 1u);
    const uint32_t express = sentences < 8 ? 0 : std::min(sentences / 4, 16u);
    return {.slots = std::min(sentences - express, std::max(512u / beam_size, 1u)),
            .source_tokens = within(nn::kOperationsPerList, info.operations_per_token, 256, 8192),
            .express_slots = express};
}

decode::StreamLimits limits_of(vulkan::DeviceKind kind, const nn::Seq2SeqInfo& info, const SearchOptions& options,
                               uint32_t beam_size) {
    decode::StreamLimits limits = stream_limits(kind, info, beam_size);
    if (options.max_batch_size > 0) {
        limits.slots = std::min(options.max_batch_size, ops::kMaxRows / beam_size);
        limits.express_slots = 0;
    }
    if (options.max_batch_tokens > 0) limits.source_tokens = std::min(options.max_batch_tokens, ops::kMaxRows);
    return limits;
}

SearchRules expansion_rules(const SearchOptions& options) {
    SearchRules rules = options.rules;
    rules.style = spec::SearchStyle::ctranslate2;
    rules.beam_size = rules.num_hypotheses = options.num_hypotheses;
    rules.patience = 1.0f;
    rules.early_exit = false;
    return rules;
}

// The sum over source positions of log(min(attention received, 1)); positions that received none are left out.
float coverage(const Hypothesis& hypothesis, std::size_t first, std::size_t source_length) {
    float sum = 0.0f;
    for (std::size_t j = 0; j < source_length; ++j) {
        float received = 0.0f;
        for (std::size_t t = first; t < hypothesis.tokens.size(); ++t)
            received += hypothesis.attention[t * source_length + j];
        if (received > 0.0f) sum += std::log(std::min(received, 1.0f));
    }
    return sum;
}

}  // namespace

decode::StreamLimits stream_limits(vulkan::DeviceKind kind, const nn::Seq2SeqInfo& info, uint32_t beam_size) {
    // A step saturates a CPU's vector units with few rows, a graphics card with many.
    switch (kind) {
        case vulkan::DeviceKind::cpu:
            return {.slots = std::max(128u / beam_size, 1u), .source_tokens = 4096, .express_slots = 4};
        case vulkan::DeviceKind::integrated:
        case vulkan::DeviceKind::virtual_gpu:  // maybe of an integrated one
        case vulkan::DeviceKind::other: return integrated_limits(info, beam_size);
        default: return {.slots = std::max(1024u / beam_size, 1u), .source_tokens = 32768, .express_slots = 16};
    }
}

Search::Search(std::shared_ptr<const Replicas> replicas, SearchOptions options, std::shared_ptr<Mailbox> mailbox,
               Sink sink)
    : replicas_(std::move(replicas)), options_(std::move(options)), sink_(std::move(sink)),
      samples_(options_.rules.sampling ? options_.num_hypotheses : 1), mailbox_(std::move(mailbox)) {
    if (!options_.alternatives) {
        open(first_, options_.rules, options_.partial);
        return;
    }
    open(first_, expansion_rules(options_), false);
    SearchRules continuing = options_.rules;
    continuing.num_hypotheses = 1;
    open(continuing_, std::move(continuing), false);
}

void Search::open(Stage& stage, SearchRules rules, bool partial) {
    stage.rules = std::move(rules);
    stage.partial = partial;
    stage.own_task = open_task(stage, false);
    stage.task = stage.own_task.get();
    if (cancelled_) stage.own_task->cancel();
}

// `wide`: for inputs that overflowed, of which most devices have none.
std::unique_ptr<SpreadTask> Search::open_task(const Stage& stage, bool wide) const {
    const auto on = [this, rules = stage.rules, partial = stage.partial, wide](const Model& model) {
        const nn::Seq2Seq* network = wide ? model.wide() : &model.network();
        DRAGOMAN_ASSERT(network != nullptr);
        const vulkan::DeviceKind kind = model.context().caps().kind;
        return SpreadTask::OnDevice{.network = network,
                                    .options = {.rules = rules,
                                                .limits = limits_of(kind, network->info(), options_, rules.beam_size),
                                                .priority = options_.priority,
                                                .partial = partial}};
    };
    return std::make_unique<SpreadTask>(replicas_, on, mailbox_, wide);
}

Search::~Search() {
    if (!over_) cancel();
}

std::size_t Search::add(std::vector<SearchInput> inputs, bool last) {
    const std::size_t first = added_;
    for (const SearchInput& input : inputs) check_terms(input);
    for (SearchInput& input : inputs) {
        Input& kept = inputs_[added_];
        kept.source_length = input.source.size();
        kept.context = input.context.size();
        if (options_.alternatives) {
            kept.from = std::move(input);
            input = expansion_of(added_);
        }
        kept.left = samples_;
        ++added_;
    }
    if (samples_ > 1) inputs = samples_of(inputs);
    if (last && first == 0) urgency_ = Scheduler::urgency_of_whole(inputs);
    std::vector<SearchInput> having_terms = take_with_terms(inputs);
    first_.own_task->add(std::move(inputs), urgency_, last);
    if (with_terms_.own_task) with_terms_.own_task->add(std::move(having_terms), urgency_, last);
    return first;
}

void Search::close() {
    for (const Stage* stage : {&first_, &with_terms_})
        if (stage->own_task) stage->own_task->close();
}

// Adds the inputs with terms. They have no samples, and are numbered in their order.
std::vector<SearchInput> Search::take_with_terms(std::vector<SearchInput>& inputs) {
    std::vector<SearchInput> taken;
    if (options_.rules.sampling) return taken;
    std::vector<SearchInput> left;
    for (std::size_t i = 0, number = added_ - inputs.size(); i < inputs.size(); ++i, ++number) {
        const bool has_terms = !inputs[i].terms.empty();
        Stage& stage = has_terms ? with_terms_ : first_;
        if (stage.added != number) stage.numbers[stage.added] = number;
        ++stage.added;
        (has_terms ? taken : left).push_back(std::move(inputs[i]));
    }
    inputs = std::move(left);
    if (!taken.empty() && !with_terms_.own_task) open(with_terms_, with_terms(options_.rules), options_.partial);
    return taken;
}

// The number of an input of a stage's task, among all that were added.
std::size_t Search::number_of(const Stage& stage, bool repeated, std::size_t input) {
    if (repeated) return stage.repeated[input];
    const auto found = stage.numbers.find(input);
    return found != stage.numbers.end() ? found->second : input;
}

void Search::check_terms(const SearchInput& input) const {
    if (input.terms.empty()) return;
    if (options_.alternatives)
        fail(Status::unsupported, "terms: expected a search without alternatives, which cannot be combined with them");
    decode::check_terms(input, with_terms(options_.rules), replicas_->info().target_vocabulary);
}

void Search::cancel() noexcept {
    cancelled_ = true;
    for (const Stage* stage : {&first_, &continuing_, &with_terms_})
        for (SpreadTask* task : {stage->task.load(), stage->rerun_f32.load()})
            if (task) task->cancel();
}

bool Search::owns(const Event& event) const {
    return first_.has(event) || continuing_.has(event) || with_terms_.has(event);
}

void Search::handle(Event taken) {
    if (over_) return;
    Stage& stage = continuing_.has(taken) ? continuing_ : with_terms_.has(taken) ? with_terms_ : first_;
    const bool repeated = stage.repeats(taken);
    std::optional<Event> seen = (repeated ? stage.own_rerun : stage.own_task)->take(std::move(taken));
    if (!seen) return;
    Event& event = *seen;
    switch (event.kind) {
        case Event::Kind::finished:
            if (repeated) --stage.left;
            if (event.output.overflowed && !event.output.rerun_f32)
                log(LogLevel::warning, "{}: its translation means nothing",
                    repeated ? "numbers of a sentence overflow in float32 too"
                             : "the scores of a sentence's tokens are no numbers, or its rules forbid every token");
            finish(stage, number_of(stage, repeated, event.input), std::move(event.output));
            if (!repeated) stage.numbers.erase(event.input);
            if (repeated) go_on();
            break;
        case Event::Kind::partial: {
            const std::size_t input = number_of(stage, repeated, event.input);
            if (sink_.partial && input % samples_ == 0) sink_.partial(input / samples_, event.tokens);
            break;
        }
        case Event::Kind::ended: end(stage, event); break;
        case Event::Kind::progress:
        case Event::Kind::reopened:
        case Event::Kind::woken: break;
    }
}

void Search::finish(Stage& stage, std::size_t input, SearchOutput output) {
    if (output.rerun_f32) return rerun(stage, input, std::move(*output.rerun_f32));
    if (&stage == &continuing_) finish_continuation(input, std::move(output));
    else if (options_.alternatives) expand(input, std::move(output));
    else if (samples_ > 1) finish_sample(input, std::move(output));
    else finish_whole(input, std::move(output));
}

void Search::rerun(Stage& stage, std::size_t input, SearchInput source) {
    if (!stage.own_rerun) {
        stage.own_rerun = open_task(stage, true);
        stage.rerun_f32 = stage.own_rerun.get();
        if (cancelled_) stage.own_rerun->cancel();
    }
    stage.repeated.push_back(input);
    ++stage.left;
    std::vector<SearchInput> inputs;
    inputs.push_back(std::move(source));
    stage.own_rerun->add(std::move(inputs), urgency_);
}

void Search::end(Stage& stage, const Event& event) {
    if (event.failure) {
        error_ = event.failure.exception();
        cancel();  // end the other tasks
        over_ = true;
        return;
    }
    stage.ended = true;
    go_on();
}

// Adds continuations until the first stage is over.
void Search::go_on() {
    if (!first_.over() || (with_terms_.own_task && !with_terms_.over())) return;
    if (continuing_.own_task && !std::exchange(continuing_.closed, true)) return continuing_.own_task->close();
    if (continuing_.own_task && !continuing_.over()) return;
    over_ = true;
    for (const Stage* stage : {&first_, &continuing_, &with_terms_})
        if (stage->own_rerun) stage->own_rerun->close();
}

void Search::finish_whole(std::size_t input, SearchOutput output) {
    const Input& from = inputs_.at(input);
    auto& hypotheses = output.hypotheses;
    for (Hypothesis& hypothesis : hypotheses)
        hypothesis.score = final_score(hypothesis, from.context, from.source_length);
    std::ranges::stable_sort(hypotheses, std::greater<>(), [](const Hypothesis& hypothesis) {
        return std::pair(std::popcount(hypothesis.terms_met), hypothesis.score);
    });
    if (hypotheses.size() > options_.num_hypotheses) hypotheses.resize(options_.num_hypotheses);
    emit(input, std::move(output));
}

std::vector<SearchInput> Search::samples_of(std::span<const SearchInput> inputs) const {
    std::vector<SearchInput> samples;
    for (const SearchInput& input : inputs)
        for (uint32_t index = 0; index < samples_; ++index) {
            samples.push_back(input);
            samples.back().sampling.index = index;
        }
    return samples;
}

void Search::finish_sample(std::size_t number, SearchOutput output) {
    Input& input = inputs_.at(number / samples_);
    input.continued.resize(samples_);
    input.continued[number % samples_] = std::move(output.hypotheses.front());
    if (--input.left > 0) return;
    finish_whole(number / samples_, {.hypotheses = std::move(input.continued), .forced_scores = {}});
}

// The input with the prefix and one more token.
SearchInput Search::expansion_of(std::size_t number) {
    SearchInput& from = inputs_.at(number).from;
    from.context.insert(from.context.end(), from.prefix.begin(), from.prefix.end());
    from.prefix.clear();
    if (from.context.size() > from.max_length) from.context.resize(from.max_length);
    SearchInput expansion = from;
    expansion.max_length = std::min(from.max_length, uint32_t(from.context.size()) + 1);
    expansion.min_length = uint32_t(from.context.size()) + 1;
    return expansion;
}

void Search::expand(std::size_t number, SearchOutput output) {
    Input& input = inputs_.at(number);
    auto& found = output.hypotheses;
    const std::size_t prefix = input.from.context.size();
    if (prefix == input.from.max_length) {
        found.resize(options_.num_hypotheses, found.front());
        for (Hypothesis& hypothesis : found) hypothesis.score = 0.0f;
    }
    std::vector<SearchInput> continued;
    for (Hypothesis& hypothesis : found) {
        const bool is_best = &hypothesis == &found.front();  // is given however improbable it is
        if (!is_best && hypothesis.tokens.size() > prefix &&
            std::exp(hypothesis.score) < options_.min_alternative_expansion_prob)
            break;
        if (hypothesis.tokens.size() >= input.from.max_length) {
            input.output.hypotheses.push_back(std::move(hypothesis));
            continue;
        }
        continuations_[continuations_added_++] = {number, continued.size(), hypothesis.score, hypothesis.tokens.size()};
        continued.push_back(input.from);
        continued.back().context = std::move(hypothesis.tokens);
    }
    if (continued.empty()) return emit(number, std::move(input.output));
    input.left = continued.size();
    input.continued.resize(continued.size());
    continuing_.own_task->add(std::move(continued), urgency_);
}

void Search::finish_continuation(std::size_t number, SearchOutput output) {
    const auto [owner, place, log_prob, length] = continuations_.extract(number).mapped();
    Input& input = inputs_.at(owner);
    for (Hypothesis& hypothesis : output.hypotheses) {
        if (!hypothesis.certainty.empty() && length > 0) hypothesis.certainty[length - 1].log_prob = log_prob;
        hypothesis.score = log_prob + final_score(hypothesis, length, input.source_length);
    }
    input.continued[place] = std::move(*std::ranges::max_element(output.hypotheses, {}, &Hypothesis::score));
    if (--input.left > 0) return;
    std::ranges::move(input.continued, std::back_inserter(input.output.hypotheses));
    emit(owner, std::move(input.output));
}

void Search::emit(std::size_t input, SearchOutput output) {
    DRAGOMAN_ASSERT(!output.hypotheses.empty() || output.rerun_f32);
    inputs_.erase(input);
    ++finished_;
    sink_.finished(input, std::move(output));
}

// The score of Wu et al. 2016, section 7, without its constants 5 and 6, over the tokens from `first` on. Attention
// rows are `source_length` wide.
float Search::final_score(const Hypothesis& hypothesis, std::size_t first, std::size_t source_length) const {
    if (hypothesis.tokens.size() <= first) return hypothesis.score;
    const auto length = float(hypothesis.tokens.size() - first);
    float score = (hypothesis.score - options_.word_penalty * length) / std::pow(length, options_.length_penalty);
    if (options_.coverage_penalty != 0.0f)
        score += options_.coverage_penalty * coverage(hypothesis, first, source_length);
    return score;
}

}  // namespace dragoman::engine
