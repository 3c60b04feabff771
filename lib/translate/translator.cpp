// SPDX-License-Identifier: Apache-2.0
#include "translate/translator.h"

#include <algorithm>

#include "base/error.h"
#include "translate/inputs.h"
#include "translate/search_translator.h"

namespace dragoman::translate {

using decode::SearchInput;
using decode::SearchRules;

SearchTranslator::SearchTranslator(std::shared_ptr<const LoadedModel> model)
    : model_(std::move(model)), stats_base_(model_->context().stats()),
      scheduler_(model_->shared_context(), model_->network()) {}

std::unique_ptr<Task> SearchTranslator::start(const SearchPlan& plan, std::span<const Request> requests, int priority,
                                              std::shared_ptr<Mailbox> mailbox, Task::Sink sink) {
    return std::make_unique<Task>(scheduler_, std::move(mailbox), counters_, plan, requests, priority,
                                  std::move(sink));
}

std::vector<Result> SearchTranslator::translate(std::span<const Request> requests, const TranslateOptions& options,
                                                const Progress& progress) {
    const SearchPlan how = plan(options);
    if (requests.empty()) return {};  // asked to check the options
    std::vector<Result> results(requests.size());
    const auto mailbox = std::make_shared<Mailbox>();
    const auto task =
        start(how, requests, 0, mailbox,
              {.finished = [&](std::size_t i, Result result) { results[i] = std::move(result); }, .partial = {}});
    bool cancelled = false;
    while (!task->over())
        for (SearchEvent& event : mailbox->take()) {
            if (task->owns(event)) task->handle(std::move(event));
            if (event.kind != SearchEvent::Kind::progress || cancelled || !progress) continue;
            if (progress(task->done(), requests.size())) continue;
            task->cancel();
            cancelled = true;
        }
    if (cancelled) fail(Status::cancelled, "translation cancelled by the progress callback");
    if (task->error()) std::rethrow_exception(task->error());
    return results;
}

std::vector<ScoreResult> SearchTranslator::score(std::span<const Request> pairs, uint32_t max_input_length) {
    const text::Vocabulary& target = model_->target();
    const uint32_t positions = model_->network().info().max_target_positions;
    std::vector<ScoreResult> results(pairs.size());
    std::vector<SearchInput> inputs;
    std::vector<std::size_t> requests;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (!model_->decoder_start_token() && pairs[i].target_prefix.empty()) continue;
        SearchInput input;
        input.source = source_ids(*model_, pairs[i].source, max_input_length, i);
        // One more: the start token is fed, not scored.
        Tokens generated = pairs[i].target_prefix;
        if (model_->right_to_left()) std::ranges::reverse(generated);
        const auto ids = target_ids(*model_, generated, true, max_input_length ? max_input_length + 1 : 0, i);
        input.start_id = ids.front();
        input.context.assign(ids.begin() + 1, ids.end());
        if (input.context.size() > positions)
            fail(Status::invalid_argument, "pair {}: target has {} tokens, the model has positions for {}", i,
                 input.context.size(), positions);
        results[i].tokens = target.tokens(input.context);
        results[i].log_probs.assign(input.context.size(), 0.0f);
        if (input.source.empty()) continue;
        input.max_length = uint32_t(input.context.size());
        input.min_length = 0;
        inputs.push_back(std::move(input));
        requests.push_back(i);
    }
    if (inputs.empty()) return results;
    const SearchRules rules{.forced_scores = true};
    const auto mailbox = std::make_shared<Mailbox>();
    scheduler_.submit({.rules = rules, .limits = stream_limits(*model_, 1), .inputs = std::move(inputs)}, mailbox);
    for (bool over = false; !over;)
        for (SearchEvent& event : mailbox->take()) {
            if (event.status != Status::ok) throw Error(event.status, event.message);
            over |= event.kind == SearchEvent::Kind::ended;
            if (event.kind == SearchEvent::Kind::finished)
                results[requests[event.input]].log_probs = std::move(event.output.forced_scores);
        }
    if (!model_->right_to_left()) return results;
    for (ScoreResult& result : results) {  // in reading order; the end token stays last
        if (result.tokens.empty()) continue;
        std::reverse(result.tokens.begin(), result.tokens.end() - 1);
        std::reverse(result.log_probs.begin(), result.log_probs.end() - 1);
    }
    return results;
}

TranslatorStats SearchTranslator::stats() const {
    const decode::SearchStats search = scheduler_.stats();
    TranslatorStats stats{.sentences = counters_.sentences,
                          .source_tokens = counters_.source_tokens,
                          .target_tokens = counters_.target_tokens,
                          .batches = search.batches,
                          .decoder_steps = search.decoder_steps,
                          .slot_steps = search.slot_steps,
                          .row_steps = search.row_steps,
                          .dispatches_per_step = search.dispatches_per_step,
                          .padding_tokens = 0,
                          .device = model_->context().stats()};
    const std::lock_guard lock(mutex_);
    stats.device.submissions -= stats_base_.submissions;
    stats.device.host_waits -= stats_base_.host_waits;
    stats.device.dispatches -= stats_base_.dispatches;
    return stats;
}

void SearchTranslator::reset_stats() {
    scheduler_.reset_stats();
    counters_.sentences = counters_.source_tokens = counters_.target_tokens = 0;
    const std::lock_guard lock(mutex_);
    stats_base_ = model_->context().stats();
}

void SearchTranslator::trim() {
    scheduler_.trim();
    model_->context().trim();
}

std::unique_ptr<Translator> Translator::create(std::shared_ptr<const Model> model) {
    auto loaded = std::dynamic_pointer_cast<const LoadedModel>(model);
    DRAGOMAN_ASSERT(loaded != nullptr);
    return std::make_unique<SearchTranslator>(std::move(loaded));
}

}  // namespace dragoman::translate
