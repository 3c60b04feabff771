// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/translator.h"

#include <algorithm>

#include "base/error.h"
#include "pipeline/run/job_thread.h"
#include "pipeline/run/translation_key.h"
#include "spec/language_names.h"

namespace dragoman::pipeline {

void Translator::Counters::add(const RunCounts& counts) {
    const std::lock_guard lock(mutex);
    sentences += counts.sentences;
    source_tokens += counts.source_tokens;
    target_tokens += counts.target_tokens;
}

Translator::Translator(std::shared_ptr<const Model> model)
    : Translator(std::span(&model, 1), std::vector<RouteStep>{{0, "", ""}}) {}

Translator::Translator(std::span<const std::shared_ptr<const Model>> models, std::span<const RouteStep> route)
    : stops_(stops_of(models, route)), model_(stops_.back().model), counters_(std::make_shared<Counters>()),
      device_base_(device_stats()), search_base_(model_->replicas()->stats()) {
    for (const Stop& stop : stops_) check_translates(*stop.model);
    counters_->owner = this;
}

Translator::~Translator() = default;

std::shared_ptr<Translator> Translator::create(std::shared_ptr<const Model> model) {
    return std::make_shared<Translator>(std::move(model));
}

std::shared_ptr<Translator> Translator::create(std::span<const std::shared_ptr<const Model>> models,
                                               std::span<const RouteStep> route) {
    return std::make_shared<Translator>(models, route);
}

std::vector<Translator::Stop> Translator::stops_of(std::span<const std::shared_ptr<const Model>> models,
                                                   std::span<const RouteStep> route) {
    std::vector<Stop> stops;
    for (const RouteStep& step : route) {
        stops.push_back({models[step.model], step.from, step.to});
        const Model &first = *stops.front().model, &last = *stops.back().model;
        if (!last.replicas()->on_same_devices(*first.replicas()))
            fail(Status::invalid_argument, "route: expected models on one device, {} is on {}, {} on {}",
                 first.info().path, first.replicas()->device_names(), last.info().path,
                 last.replicas()->device_names());
    }
    return stops;
}

namespace {

void check_no_prefix(const Tokens& prefix, std::size_t text, std::size_t models) {
    if (!prefix.empty())
        fail(Status::unsupported,
             "text {}: expected no target prefix, got {} tokens: the translator's route has {} models", text,
             prefix.size(), models);
}

void check_route_end(std::string_view option, const std::string& given, const std::string& of_route) {
    const auto tag = [](const std::string& said) { return spec::LanguageTag::find(spec::code_of_language(said)); };
    if (given.empty() || tag(given) == tag(of_route)) return;
    fail(Status::invalid_argument, "{}: expected {}, which the translator's route has, got {}", option, of_route,
         given);
}

}  // namespace

std::vector<Leg> Translator::legs(std::span<const Stop> stops, Plan::Inputs inputs, const TextOptions& text,
                                  const TranslateOptions& options) {
    std::vector<Leg> legs;
    if (stops.size() == 1 && stops.front().from.empty()) {
        legs.push_back({stops.front().model, Plan(*stops.front().model, inputs, text, options)});
        return legs;
    }
    if (inputs == Plan::Inputs::tokens)
        fail(Status::unsupported, "tokens: expected texts, the translator's route has {} models", stops.size());
    check_route_end("source_language", text.source_language, stops.front().from);
    check_route_end("target_language", text.target_language, stops.back().to);
    for (std::size_t i = 0; i < stops.size(); ++i) {
        TextOptions own = text;
        TranslateOptions decoding = options;
        own.source_language = stops[i].from;
        own.target_language = stops[i].to;
        if (i > 0) {
            own.join_lines = false;
            own.return_alignment |= own.markup != Markup::none;
            own.return_quality |= own.quality_marks > 0 || own.min_quality > 0;
            own.quality_marks = own.min_quality = 0;  // the whole way is judged
            own.markup = Markup::none;  // the first one takes the tags away
        }
        const bool last = i + 1 == stops.size();
        if (!last) decoding.suppress_sequences = {}, decoding.end_tokens = {};
        own.return_alignment |= text.glossary && !last;  // which says where the terms are in the text between
        legs.push_back({stops[i].model, Plan(*stops[i].model, inputs, own, decoding)});
        legs.back().plan.uses_segments &= i == 0;  // from the first language to the last
        Plan& plan = legs.back().plan;
        plan.finds_terms = i == 0;
        plan.gives_terms = last;
        plan.returns_alignment = text.return_alignment || text.return_coverage || text.max_uncovered_words > 0;
    }
    legs.front().plan.matched_target = legs.back().plan.matched_target;
    return legs;
}

void Translator::translate(std::vector<Leg> legs, DocumentSource source, std::size_t count, const Progress& progress,
                           std::function<void(std::unique_ptr<Document>)> put) {
    const auto mailbox = std::make_shared<engine::Mailbox>();
    Run run(std::move(legs), std::move(source), count, 0, mailbox,
            {.sentence = {}, .partial = {}, .document = std::move(put), .results_before_error = false});
    bool cancelled = false;
    const auto tell_progress = [&] {
        if (cancelled || !progress || progress(run.done(), run.total())) return;
        run.cancel();
        cancelled = true;
    };
    while (!run.over()) {
        const bool more = run.work();
        if (more) tell_progress();  // what needs no model has no events
        if (run.over()) break;
        for (engine::Event& event : more ? mailbox->try_take() : mailbox->take()) {
            if (run.owns(event)) run.handle(std::move(event));
            if (event.kind == engine::Event::Kind::progress) tell_progress();
        }
    }
    counters_->add(run.counts());
    if (cancelled) fail(Status::cancelled, "translation cancelled by the progress callback");
    if (run.error()) std::rethrow_exception(run.error());
}

std::vector<TextResult> Translator::translate_texts(std::span<const Text> texts, const TextOptions& text_options,
                                                    const TranslateOptions& options, const Progress& progress) {
    std::vector<Leg> way = legs(stops_, Plan::Inputs::texts, text_options, options);
    if (way.size() > 1)
        for (std::size_t i = 0; i < texts.size(); ++i) check_no_prefix(texts[i].target_prefix, i, way.size());
    std::vector<TextResult> results;
    results.reserve(texts.size());
    const auto source = [texts, next = std::size_t(0)]() mutable -> NextDocument {
        if (next == texts.size()) return {nullptr, true};
        auto document = std::make_unique<Document>();
        document->text = texts[next].text;
        document->target_prefix = texts[next++].target_prefix;
        return {std::move(document), false};
    };
    translate(std::move(way), source, texts.size(), progress,
              [&](std::unique_ptr<Document> document) { results.push_back(std::move(document->result)); });
    return results;
}

std::vector<Result> Translator::translate(std::span<const Request> requests, const TranslateOptions& options,
                                          const Progress& progress) {
    std::vector<Leg> way = legs(stops_, Plan::Inputs::tokens, {}, options);
    std::vector<Result> results;
    results.reserve(requests.size());
    const auto source = [requests, next = std::size_t(0)]() mutable -> NextDocument {
        if (next == requests.size()) return {nullptr, true};
        auto document = std::make_unique<Document>();
        document->source = requests[next].source;
        document->target_prefix = requests[next++].target_prefix;
        return {std::move(document), false};
    };
    translate(std::move(way), source, requests.size(), progress, [&](std::unique_ptr<Document> document) {
        results.push_back({std::move(document->sentences.front().hypotheses)});
    });
    return results;
}

void Translator::check_one_model() const {
    if (stops_.size() > 1)
        fail(Status::unsupported, "score: expected a translator of one model, its route has {}", stops_.size());
}

std::vector<ScoreResult> Translator::score(std::span<const Request> pairs, uint32_t max_input_length) {
    check_one_model();
    return pipeline::score(model_, pairs, max_input_length);
}

std::vector<ScoreResult> Translator::score_texts(std::span<const TextPair> pairs, const ScoreOptions& options) {
    check_one_model();
    return pipeline::score_texts(model_, pairs, options);
}

std::shared_ptr<Job> Translator::submit(JobInput input, JobOptions options) {
    const auto way = legs(stops_, input.texts ? Plan::Inputs::texts : Plan::Inputs::tokens, input.text, input.options);
    if (way.size() > 1)
        for (std::size_t i = 0; i < input.documents.size(); ++i)
            check_no_prefix(input.documents[i].target_prefix, i, way.size());
    JobThread* jobs = nullptr;
    {
        const std::lock_guard lock(mutex_);
        if (!jobs_) jobs_ = std::make_unique<JobThread>(*this);
        jobs = jobs_.get();
    }
    return jobs->submit(std::move(input), std::move(options));
}

std::string Translator::key(bool texts, const TextOptions& text, const TranslateOptions& options) const {
    return translation_key(legs(stops_, texts ? Plan::Inputs::texts : Plan::Inputs::tokens, text, options), texts);
}

vulkan::ContextStats Translator::device_stats() const { return model_->replicas()->device().stats_of_all(); }

TranslatorStats Translator::stats() const {
    const decode::SearchStats search = model_->replicas()->stats();
    TranslatorStats stats{.padding_tokens = 0, .device = device_stats()};
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
    device_base_ = device_stats();
    search_base_ = model_->replicas()->stats();
}

void Translator::trim() { model_->replicas()->device().trim(); }

std::vector<TextResult> translate_texts(Translator& translator, std::span<const Text> texts,
                                        const TextOptions& text_options, const TranslateOptions& options,
                                        const Progress& progress) {
    return translator.translate_texts(texts, text_options, options, progress);
}

}  // namespace dragoman::pipeline
