// SPDX-License-Identifier: Apache-2.0
#include "pipeline/translator.h"

#include <algorithm>

#include "base/error.h"
#include "pipeline/ids.h"
#include "pipeline/job_thread.h"

namespace dragoman::pipeline {

using decode::SearchInput;
using decode::SearchRules;

void Translator::Counters::add(const RunCounts& counts) {
    const std::lock_guard lock(mutex);
    sentences += counts.sentences;
    source_tokens += counts.source_tokens;
    target_tokens += counts.target_tokens;
}

Translator::Translator(std::shared_ptr<const Model> model)
    : model_(std::move(model)), counters_(std::make_shared<Counters>()), device_base_(model_->context().stats()),
      search_base_(model_->network()->stats()) {
    counters_->owner = this;
}

Translator::~Translator() = default;

std::shared_ptr<Translator> Translator::create(std::shared_ptr<const Model> model) {
    return std::make_shared<Translator>(std::move(model));
}

void Translator::translate(Plan plan, DocumentSource source, std::size_t count, const Progress& progress,
                           std::function<void(std::unique_ptr<Document>)> put) {
    const auto mailbox = std::make_shared<engine::Mailbox>();
    Run run(model_, std::move(plan), std::move(source), count, 0, mailbox,
            {.sentence = {}, .partial = {}, .document = std::move(put), .results_before_error = false});
    bool cancelled = false;
    while (!run.over()) {
        const bool more = run.work();
        if (run.over()) break;
        for (engine::Event& event : more ? mailbox->try_take() : mailbox->take()) {
            if (run.owns(event)) run.handle(std::move(event));
            if (event.kind != engine::Event::Kind::progress || cancelled || !progress) continue;
            if (progress(run.done(), run.total())) continue;
            run.cancel();
            cancelled = true;
        }
    }
    counters_->add(run.counts());
    if (cancelled) fail(Status::cancelled, "translation cancelled by the progress callback");
    if (run.error()) std::rethrow_exception(run.error());
}

std::vector<TextResult> Translator::translate_texts(std::span<const Text> texts, const TextOptions& text_options,
                                                    const TranslateOptions& options, const Progress& progress) {
    Plan plan(*model_, Plan::Inputs::texts, text_options, options);
    std::vector<TextResult> results;
    results.reserve(texts.size());
    const auto source = [texts, next = std::size_t(0)]() mutable -> NextDocument {
        if (next == texts.size()) return {nullptr, true};
        auto document = std::make_unique<Document>();
        document->text = texts[next].text;
        document->target_prefix = texts[next++].target_prefix;
        return {std::move(document), false};
    };
    translate(std::move(plan), source, texts.size(), progress, [&](std::unique_ptr<Document> document) {
        results.push_back(std::move(document->result));
    });
    return results;
}

std::vector<Result> Translator::translate(std::span<const Request> requests, const TranslateOptions& options,
                                          const Progress& progress) {
    Plan plan(*model_, Plan::Inputs::tokens, {}, options);
    std::vector<Result> results;
    results.reserve(requests.size());
    const auto source = [requests, next = std::size_t(0)]() mutable -> NextDocument {
        if (next == requests.size()) return {nullptr, true};
        auto document = std::make_unique<Document>();
        document->source = requests[next].source;
        document->target_prefix = requests[next++].target_prefix;
        return {std::move(document), false};
    };
    translate(std::move(plan), source, requests.size(), progress, [&](std::unique_ptr<Document> document) {
        results.push_back({std::move(document->sentences.front().hypotheses)});
    });
    return results;
}

std::vector<ScoreResult> Translator::score(std::span<const Request> pairs, uint32_t max_input_length) {
    const text::Vocabulary& target = model_->target();
    const uint32_t positions = model_->network()->info().max_target_positions;
    std::vector<ScoreResult> results(pairs.size());
    std::vector<SearchInput> inputs;
    std::vector<std::size_t> pair_of;
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
        pair_of.push_back(i);
    }
    if (!inputs.empty()) {
        const auto mailbox = std::make_shared<engine::Mailbox>();
        const decode::SearchRules rules{.style = model_->search().style, .forced_scores = true};
        engine::Search search(model_->network(), {.rules = rules}, mailbox,
                              {.finished = [&](std::size_t input, decode::SearchOutput output) {
                                   results[pair_of[input]].log_probs = std::move(output.forced_scores);
                               },
                               .partial = {}});
        search.add(std::move(inputs), true);
        while (!search.over())
            for (engine::Event& event : mailbox->take())
                if (search.owns(event)) search.handle(std::move(event));
        if (search.error()) std::rethrow_exception(search.error());
    }
    if (!model_->right_to_left()) return results;
    for (ScoreResult& result : results) {  // in reading order; the end token stays last
        if (result.tokens.empty()) continue;
        std::reverse(result.tokens.begin(), result.tokens.end() - 1);
        std::reverse(result.log_probs.begin(), result.log_probs.end() - 1);
    }
    return results;
}

std::shared_ptr<Job> Translator::submit(JobInput input, JobOptions options) {
    Plan(*model_, input.texts ? Plan::Inputs::texts : Plan::Inputs::tokens, input.text, input.options);  // checks them
    JobThread* jobs = nullptr;
    {
        const std::lock_guard lock(mutex_);
        if (!jobs_) jobs_ = std::make_unique<JobThread>(*this);
        jobs = jobs_.get();
    }
    return jobs->submit(std::move(input), std::move(options));
}

TranslatorStats Translator::stats() const {
    const decode::SearchStats search = model_->network()->stats();
    TranslatorStats stats{.padding_tokens = 0, .device = model_->context().stats()};
    {
        const std::lock_guard lock(counters_->mutex);
        stats.sentences = counters_->sentences;
        stats.source_tokens = counters_->source_tokens;
        stats.target_tokens = counters_->target_tokens;
    }
    const std::lock_guard lock(mutex_);
    stats.batches = search.batches - search_base_.batches;
    stats.decoder_steps = search.decoder_steps - search_base_.decoder_steps;
    stats.slot_steps = search.slot_steps - search_base_.slot_steps;
    stats.row_steps = search.row_steps - search_base_.row_steps;
    stats.dispatches_per_step = search.dispatches_per_step;
    stats.device.submissions -= device_base_.submissions;
    stats.device.host_waits -= device_base_.host_waits;
    stats.device.dispatches -= device_base_.dispatches;
    return stats;
}

void Translator::reset_stats() {
    {
        const std::lock_guard lock(counters_->mutex);
        counters_->sentences = counters_->source_tokens = counters_->target_tokens = 0;
    }
    const std::lock_guard lock(mutex_);
    device_base_ = model_->context().stats();
    search_base_ = model_->network()->stats();
}

void Translator::trim() { model_->network()->device().trim(); }

std::vector<TextResult> translate_texts(Translator& translator, std::span<const Text> texts,
                                        const TextOptions& text_options, const TranslateOptions& options,
                                        const Progress& progress) {
    return translator.translate_texts(texts, text_options, options, progress);
}

}  // namespace dragoman::pipeline
