// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "pipeline/model/model.h"
#include "pipeline/model/route.h"
#include "pipeline/run/job.h"
#include "pipeline/run/run.h"
#include "pipeline/run/score.h"
#include "pipeline/value/result.h"

namespace dragoman::pipeline {

class JobThread;

struct Request {
    Tokens source;
    Tokens target_prefix;  // in the order of generation: models that write right to left start with the last token
};

struct Text {
    std::string_view text;  // UTF-8
    Tokens target_prefix;   // of its first sentence
};

struct TranslatorStats {
    uint64_t sentences = 0, source_tokens = 0, target_tokens = 0;  // of this translator
    // Counted for the model, whoever used it:
    uint64_t batches = 0;                // times that sentences entered the search, and their encoder ran
    uint64_t decoder_steps = 0;          // recorded step replays with any sentence
    uint64_t slot_steps = 0;             // sentences in them, all steps together
    uint64_t row_steps = 0;              // and their hypotheses
    uint64_t dispatches_per_step = 0;    // of the last chunk of steps
    uint64_t repeated_sentences = 0;     // again in float32, because numbers overflowed in float16
    uint64_t pipelines_awaited = 0, pipelines_late = 0;  // as in decode::SearchStats
    uint64_t padding_tokens = 0;         // always 0: batches are ragged
    vulkan::ContextStats device;         // of the device
};

// Translates with one model, or with several one after the other. Calls wait; jobs run on a thread of the translator's
// own; both use the same Run. Sentences with equal search rules share a search, and short calls overtake long ones
// (engine/scheduler.h). Safe from any thread.
class Translator {
public:
    static std::shared_ptr<Translator> create(std::shared_ptr<const Model> model);
    // A translator that goes via pivot languages through several models on one device. Each takes the sentences that
    // the one before it has translated, while that goes on with others: texts only, without target prefixes. Token
    // options are the last model's.
    static std::shared_ptr<Translator> create(std::span<const std::shared_ptr<const Model>> models,
                                              std::span<const RouteStep> route);
    explicit Translator(std::shared_ptr<const Model> model);
    Translator(std::span<const std::shared_ptr<const Model>> models, std::span<const RouteStep> route);
    ~Translator();  // cancels jobs that have not ended and waits for their end; in a callback it does not wait
    Translator(const Translator&) = delete;

    const Model& model() const { return *model_; }  // the last one, which writes the translation
    const std::shared_ptr<const Model>& shared_model() const { return model_; }

    // Translates texts of any length, one result each, in order. Text between sentences (white space, line breaks, list
    // bullets) is copied; so is a sentence of unknown tokens only. Sentences that occur more than once are translated
    // once. `progress` counts different sentences. Throws invalid_argument (options, invalid UTF-8 naming text and byte
    // offset), unsupported for a model without tokenizer, out_of_memory, device_lost, cancelled.
    std::vector<TextResult> translate_texts(std::span<const Text> texts, const TextOptions& text_options,
                                            const TranslateOptions& options, const Progress& progress = {});
    // One result per request, in order; without requests it only checks the options.
    std::vector<Result> translate(std::span<const Request> requests, const TranslateOptions& options,
                                  const Progress& progress = {});
    // Log-probability of each target given its source. max_input_length cuts both sides.
    std::vector<ScoreResult> score(std::span<const Request> source_target_pairs, uint32_t max_input_length = 1024);
    // Does the same for texts, each side as one sequence. Throws invalid_argument (invalid UTF-8, a language that the
    // model does not have), unsupported for a model without tokenizer.
    std::vector<ScoreResult> score_texts(std::span<const TextPair> pairs, const ScoreOptions& options);
    // Throws invalid_argument for the options and unsupported for texts without a tokenizer; other errors are the
    // job's.
    std::shared_ptr<Job> submit(JobInput input, JobOptions options);

    // What translations with these options depend on, see translation_key(). Throws as submit() does.
    std::string key(bool texts, const TextOptions& text, const TranslateOptions& options) const;

    TranslatorStats stats() const;  // since it was made or reset_stats()
    void reset_stats();
    void trim();  // gives back what the device holds besides weights and what is at work

private:
    friend class JobThread;
    // Shared with jobs, which may outlive it for a moment.
    struct Counters {
        const void* owner;  // for CallbackScope
        std::mutex mutex;
        uint64_t sentences = 0, source_tokens = 0, target_tokens = 0;
        void add(const RunCounts& counts);
    };
    // A model of the route; it has languages only where there are several.
    struct Stop {
        std::shared_ptr<const Model> model;
        std::string from, to;
    };
    static std::vector<Stop> stops_of(std::span<const std::shared_ptr<const Model>> models,
                                      std::span<const RouteStep> route);
    static std::vector<Leg> legs(std::span<const Stop> stops, Plan::Inputs inputs, const TextOptions& text,
                                 const TranslateOptions& options);
    void check_one_model() const;
    vulkan::ContextStats device_stats() const;
    void translate(std::vector<Leg> legs, DocumentSource source, std::size_t count, const Progress& progress,
                   std::function<void(std::unique_ptr<Document>)> put);

    const std::vector<Stop> stops_;
    const std::shared_ptr<const Model> model_;
    const std::shared_ptr<Counters> counters_;
    mutable std::mutex mutex_;  // for what follows
    vulkan::ContextStats device_base_;
    decode::SearchStats search_base_;
    std::unique_ptr<JobThread> jobs_;  // with the first job
};

// Does what Translator::translate_texts() does.
std::vector<TextResult> translate_texts(Translator& translator, std::span<const Text> texts,
                                        const TextOptions& text_options, const TranslateOptions& options,
                                        const Progress& progress = {});

}  // namespace dragoman::pipeline
