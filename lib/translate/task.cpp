// SPDX-License-Identifier: Apache-2.0
#include "translate/task.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/error.h"
#include "ops/matmul.h"
#include "translate/inputs.h"
#include "translate/options.h"

namespace dragoman::translate {

using decode::SearchInput;
using decode::SearchOutput;
using decode::SearchRules;

namespace {

void add_shortlist(SearchInput& input, const spec::Shortlist& shortlist, std::span<const uint32_t> end_ids) {
    input.allowed = shortlist.allowed(input.source);
    for (const uint32_t end : end_ids)  // without them nothing would end
        if (!std::ranges::binary_search(input.allowed, end))
            input.allowed.insert(std::ranges::lower_bound(input.allowed, end), end);
}

// A step is never in more than one submission, nor is a product of the encoder, so large models get fewer rows and
// tokens. The fewest rows mostly wait for the weights: fewer would not be faster.
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

}  // namespace

SearchPlan::SearchPlan(const LoadedModel& from, const TranslateOptions& asked) : model(from), options(asked) {
    check_attention(options, model.info());
    search = settle(options, model.search());
    rules = search_rules(options, search, model.target(), model.eos_token());
    std::ranges::copy(model.never_generated(), std::back_inserter(rules.suppressed));
    shortlist = options.use_shortlist ? model.shortlist() : nullptr;
    if (options.use_shortlist && !shortlist)
        fail(Status::invalid_argument, "use_shortlist: {} brings no shortlist", model.info().path);
}

decode::StreamLimits stream_limits(vulkan::DeviceKind kind, const nn::Seq2SeqInfo& info, uint32_t beam_size) {
    // Rows of a step saturate a CPU's vectors early, a graphics card late.
    switch (kind) {
        case vulkan::DeviceKind::cpu:
            return {.slots = std::max(128u / beam_size, 1u), .source_tokens = 4096, .express_slots = 4};
        case vulkan::DeviceKind::integrated: return integrated_limits(info, beam_size);
        default: return {.slots = std::max(1024u / beam_size, 1u), .source_tokens = 32768, .express_slots = 16};
    }
}

decode::StreamLimits stream_limits(const LoadedModel& model, uint32_t beam_size) {
    return stream_limits(model.context().caps().kind, model.network().info(), beam_size);
}

decode::StreamLimits SearchPlan::limits(const SearchRules& some_rules) const {
    decode::StreamLimits limits = stream_limits(model, some_rules.beam_size);
    if (options.max_batch_size > 0) {
        limits.slots = std::min(options.max_batch_size, ops::kMaxRows / some_rules.beam_size);
        limits.express_slots = 0;
    }
    if (options.max_batch_tokens > 0) limits.source_tokens = std::min(options.max_batch_tokens, ops::kMaxRows);
    return limits;
}

Task::Task(Scheduler& scheduler, std::shared_ptr<Mailbox> mailbox, TaskCounters& counters, const SearchPlan& plan,
           std::span<const Request> requests, int priority, Sink sink)
    : scheduler_(scheduler), mailbox_(std::move(mailbox)), counters_(counters), plan_(plan),
      finishing_{plan.model, plan.options, plan.search, plan.rules.end_ids}, requests_(requests), priority_(priority),
      sink_(std::move(sink)) {
    prepare();
    for (std::size_t i = 0, next = 0; i < requests_.size(); ++i) {
        if (next < request_of_.size() && request_of_[next] == i) ++next;
        else emit(i, empty_result(finishing_, requests_[i]));
    }
    if (inputs_.empty()) conclude();
    else if (plan_.options.return_alternatives) expand();
    else submit(plan_.rules, std::move(inputs_));
}

void Task::prepare() {
    const LoadedModel& model = plan_.model;
    const uint32_t most = std::min(plan_.search.max_length, model.network().info().max_target_positions);
    for (std::size_t i = 0; i < requests_.size(); ++i) {
        if (!has_content(model, requests_[i].source)) continue;
        SearchInput input;
        input.source = source_ids(model, requests_[i].source, plan_.options.max_input_length, i);
        const auto target = target_ids(model, requests_[i].target_prefix, false, 0, i);
        input.start_id = target.front();
        input.prefix.assign(target.begin() + 1, target.end());
        input.max_length = most;
        if (plan_.search.max_length_factor > 0)
            input.max_length = std::clamp(
                uint32_t(std::ceil(plan_.search.max_length_factor * float(input.source.size()))), 1u, most);
        input.min_length = std::min(plan_.search.min_length, input.max_length);
        if (plan_.shortlist) add_shortlist(input, *plan_.shortlist, plan_.rules.end_ids);
        request_of_.push_back(i);
        source_lengths_.push_back(input.source.size());
        inputs_.push_back(std::move(input));
    }
}

void Task::submit(const SearchRules& rules, std::vector<SearchInput> inputs) {
    searched_ = 0;
    job_ = scheduler_.submit({.rules = rules,
                              .limits = plan_.limits(rules),
                              .inputs = std::move(inputs),
                              .priority = priority_,
                              .partial = sink_.partial && phase_ == Phase::whole},
                             mailbox_);
    if (cancel_asked_) scheduler_.cancel(job_);  // of the search before this one
}

void Task::cancel() {
    cancel_asked_ = true;
    if (!over_) scheduler_.cancel(job_);
}

std::size_t Task::done() const {
    switch (phase_) {
        case Phase::whole: return emitted_;
        case Phase::expansion: return requests_.size() - inputs_.size();
        case Phase::continuation: break;
    }
    const std::size_t searches = std::max<std::size_t>(alternatives_.size(), 1);
    return requests_.size() - inputs_.size() + searched_ * inputs_.size() / searches;
}

void Task::handle(SearchEvent event) {
    switch (event.kind) {
        case SearchEvent::Kind::finished:
            ++searched_;
            if (phase_ == Phase::whole) finish_one(event.input, std::move(event.output));
            else outputs_[event.input] = std::move(event.output);
            break;
        case SearchEvent::Kind::partial:
            if (phase_ == Phase::whole && sink_.partial) {
                if (plan_.model.right_to_left()) std::ranges::reverse(event.tokens);
                sink_.partial(request_of_[event.input], plan_.model.target().tokens(event.tokens));
            }
            break;
        case SearchEvent::Kind::ended:
            if (event.status != Status::ok) {
                error_ = std::make_exception_ptr(Error(event.status, event.message));
                over_ = true;
            } else if (phase_ == Phase::expansion) {
                finish_expansion();
            } else {
                if (phase_ == Phase::continuation) continue_alternatives();
                conclude();
            }
            break;
        case SearchEvent::Kind::progress:
        case SearchEvent::Kind::woken: break;
    }
}

void Task::finish_one(std::size_t n, SearchOutput output) {
    const std::size_t i = request_of_[n];
    Result result;
    for (auto& hypothesis : best(finishing_, std::move(output.hypotheses), source_lengths_[n]))
        result.hypotheses.push_back(
            finish(finishing_, std::move(hypothesis), requests_[i].source, source_lengths_[n]));
    emit(i, std::move(result));
}

void Task::emit(std::size_t request, Result result) {
    ++emitted_;
    if (!result.hypotheses.empty()) counters_.target_tokens += result.hypotheses.front().tokens.size();
    sink_.finished(request, std::move(result));
}

void Task::conclude() {
    counters_.sentences += requests_.size();
    for (const std::size_t length : source_lengths_) counters_.source_tokens += length;
    over_ = true;
}

// The prefix and its num_hypotheses best next tokens, each continued on its own (CTranslate2's return_alternatives).
void Task::expand() {
    phase_ = Phase::expansion;
    SearchRules expansion = plan_.rules;
    expansion.style = spec::SearchStyle::ctranslate2;
    expansion.beam_size = expansion.num_hypotheses = plan_.options.num_hypotheses;
    expansion.patience = 1.0f;
    expansion.early_exit = false;
    for (SearchInput& input : inputs_) {
        input.context = std::move(input.prefix);
        input.prefix.clear();
        if (input.context.size() > input.max_length) input.context.resize(input.max_length);
    }
    std::vector<SearchInput> expanded = inputs_;
    for (SearchInput& input : expanded) {
        input.max_length = std::min(input.max_length, uint32_t(input.context.size()) + 1);
        input.min_length = uint32_t(input.context.size()) + 1;
    }
    outputs_.resize(inputs_.size());
    submit(expansion, std::move(expanded));
}

void Task::finish_expansion() {
    const TranslateOptions& options = plan_.options;
    results_.resize(requests_.size());
    std::vector<SearchInput> continued;
    for (std::size_t n = 0; n < inputs_.size(); ++n) {
        const std::size_t i = request_of_[n];
        const SearchInput& input = inputs_[n];
        auto& found = outputs_[n].hypotheses;
        if (input.context.size() == input.max_length) {
            found.resize(options.num_hypotheses, found.front());
            for (auto& hypothesis : found) hypothesis.score = 0.0f;
        }
        for (auto& hypothesis : found) {
            if (hypothesis.tokens.size() > input.context.size() &&
                std::exp(hypothesis.score) < options.min_alternative_expansion_prob)
                break;
            if (hypothesis.tokens.size() >= input.max_length) {
                results_[i].hypotheses.push_back(
                    finish(finishing_, std::move(hypothesis), requests_[i].source, source_lengths_[n]));
                continue;
            }
            alternatives_.push_back({n, hypothesis.score, hypothesis.tokens.size()});
            continued.push_back(input);
            continued.back().context = std::move(hypothesis.tokens);
        }
    }
    phase_ = Phase::continuation;
    outputs_.assign(continued.size(), {});
    if (!continued.empty()) {
        SearchRules continuation = plan_.rules;
        continuation.num_hypotheses = 1;
        return submit(continuation, std::move(continued));
    }
    continue_alternatives();
    conclude();
}

void Task::continue_alternatives() {
    for (std::size_t a = 0; a < alternatives_.size(); ++a) {
        const auto& [n, log_prob, context] = alternatives_[a];
        const std::size_t i = request_of_[n];
        auto& hypotheses = outputs_[a].hypotheses;
        for (auto& hypothesis : hypotheses)
            hypothesis.score = log_prob + final_score(finishing_, hypothesis, context, source_lengths_[n]);
        auto chosen = std::ranges::max_element(hypotheses, {}, &decode::Hypothesis::score);
        results_[i].hypotheses.push_back(
            finish(finishing_, std::move(*chosen), requests_[i].source, source_lengths_[n]));
    }
    for (const std::size_t i : request_of_) emit(i, std::move(results_[i]));
}

}  // namespace dragoman::translate
