// SPDX-License-Identifier: Apache-2.0
#include "translate/translator.h"

#include <algorithm>

#include "base/error.h"
#include "translate/inputs.h"
#include "translate/search_translator.h"

namespace dragoman::translate {

using decode::SearchInput;
using engine::Event;
using engine::Mailbox;

SearchTranslator::SearchTranslator(std::shared_ptr<const LoadedModel> model)
    : model_(std::move(model)), device_base_(model_->context().stats()), search_base_(model_->network()->stats()) {}

std::unique_ptr<Task> SearchTranslator::start(const SearchPlan& plan, std::span<const Request> requests, int priority,
                                              std::shared_ptr<Mailbox> mailbox, Task::Sink sink) {
    return std::make_unique<Task>(std::move(mailbox), counters_, plan, requests, priority, std::move(sink));
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
        for (Event& event : mailbox->take()) {
            if (task->owns(event)) task->handle(std::move(event));
            if (event.kind != Event::Kind::progress || cancelled || !progress) continue;
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
    const uint32_t positions = model_->network()->info().max_target_positions;
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
    const auto mailbox = std::make_shared<Mailbox>();
    engine::Search search(model_->network(), {.rules = {.forced_scores = true}}, mailbox,
                          {.finished = [&](std::size_t i, decode::SearchOutput output) {
                               results[requests[i]].log_probs = std::move(output.forced_scores);
                           },
                           .partial = {}});
    search.add(std::move(inputs), true);
    while (!search.over())
        for (Event& event : mailbox->take())
            if (search.owns(event)) search.handle(std::move(event));
    if (search.error()) std::rethrow_exception(search.error());
    if (!model_->right_to_left()) return results;
    for (ScoreResult& result : results) {  // in reading order; the end token stays last
        if (result.tokens.empty()) continue;
        std::reverse(result.tokens.begin(), result.tokens.end() - 1);
        std::reverse(result.log_probs.begin(), result.log_probs.end() - 1);
    }
    return results;
}

TranslatorStats SearchTranslator::stats() const {
    const std::lock_guard lock(mutex_);
    const decode::SearchStats search = model_->network()->stats();
    TranslatorStats stats{.sentences = counters_.sentences,
                          .source_tokens = counters_.source_tokens,
                          .target_tokens = counters_.target_tokens,
                          .batches = search.batches - search_base_.batches,
                          .decoder_steps = search.decoder_steps - search_base_.decoder_steps,
                          .slot_steps = search.slot_steps - search_base_.slot_steps,
                          .row_steps = search.row_steps - search_base_.row_steps,
                          .dispatches_per_step = search.dispatches_per_step,
                          .padding_tokens = 0,
                          .device = model_->context().stats()};
    stats.device.submissions -= device_base_.submissions;
    stats.device.host_waits -= device_base_.host_waits;
    stats.device.dispatches -= device_base_.dispatches;
    return stats;
}

void SearchTranslator::reset_stats() {
    counters_.sentences = counters_.source_tokens = counters_.target_tokens = 0;
    const std::lock_guard lock(mutex_);
    device_base_ = model_->context().stats();
    search_base_ = model_->network()->stats();
}

void SearchTranslator::trim() { model_->network()->device().trim(); }

std::unique_ptr<Translator> Translator::create(std::shared_ptr<const Model> model) {
    auto loaded = std::dynamic_pointer_cast<const LoadedModel>(model);
    DRAGOMAN_ASSERT(loaded != nullptr);
    return std::make_unique<SearchTranslator>(std::move(loaded));
}

}  // namespace dragoman::translate
