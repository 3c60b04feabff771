// SPDX-License-Identifier: Apache-2.0
#include "pipeline/translator.h"

#include <algorithm>

#include "base/error.h"
#include "pipeline/job_thread.h"

namespace dragoman::pipeline {

void Translator::Counters::add(const RunCounts& counts) {
    const std::lock_guard lock(mutex);
    sentences += counts.sentences;
    source_tokens += counts.source_tokens;
    target_tokens += counts.target_tokens;
}

Translator::Translator(std::shared_ptr<const Model> model)
    : model_(std::move(model)), counters_(std::make_shared<Counters>()), device_base_(model_->context().stats()),
      search_base_(model_->network()->stats()) {
    check_translates(*model_);
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
    return pipeline::score(model_, pairs, max_input_length);
}

std::vector<ScoreResult> Translator::score_texts(std::span<const TextPair> pairs, const ScoreOptions& options) {
    return pipeline::score_texts(model_, pairs, options);
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
    stats.repeated_sentences = search.overflowed - search_base_.overflowed;
    stats.dispatches_per_step = search.dispatches_per_step;
    stats.pipelines_awaited = search.pipelines_awaited - search_base_.pipelines_awaited;
    stats.pipelines_late = search.pipelines_late - search_base_.pipelines_late;
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
