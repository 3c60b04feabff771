// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bench/ceilings.h"
#include "pipeline/run/translator.h"

namespace dragoman::bench {

struct Options {
    vulkan::ContextOptions device{};                      // every part opens one of its own
    uint32_t repeat = 5;                                  // timed runs after one that warms up
    uint32_t latency_samples = 32;                        // inputs translated alone; 0: none
    uint32_t synthetic_sentences = 32, synthetic_tokens = 25, seed = 1;  // without inputs: random words
    bool ceilings = true, passes = true;
};

struct Measurement {
    // Which model on which device.
    pipeline::ModelInfo model;
    vulkan::Caps device;
    spec::SearchDefaults search;  // with the caller's options
    // The first translation of a process: loading, then one input alone.
    double load_seconds = 0, first_seconds = 0;
    // All inputs in one call.
    double warm_up_seconds = 0;
    std::vector<double> seconds, cpu_seconds;  // of each run
    pipeline::TranslatorStats stats;          // of one run
    // Inputs alone, one after the other.
    std::vector<double> latencies;
    pipeline::TranslatorStats latency_stats;
    uint64_t device_peak_bytes = 0, host_peak_bytes = 0;  // host: of the process, 0 where unknown
    Ceilings ceilings;
    // Runs with timestamps, which wait for every submission.
    std::vector<double> profiled_seconds;
    std::vector<std::vector<vulkan::PassTime>> passes;  // of each of them
};

// Inputs are source tokens; none: random words of the vocabulary. Of the model options only the compute type counts.
// Throws as loading and translating do, and invalid_argument for options out of range.
Measurement measure(const std::string& model_path, const pipeline::ModelOptions& model_options,
                    std::vector<pipeline::Request> inputs, const pipeline::TranslateOptions& translate_options,
                    const Options& options, const pipeline::Progress& progress = {});
// The same for the sentences of texts, as translate_texts() gives them to the model: each once, without those that it
// only copies. Throws as that does, and unsupported where none is left.
Measurement measure(const std::string& model_path, const pipeline::ModelOptions& model_options,
                    std::span<const std::string_view> texts, const pipeline::TextOptions& text_options,
                    const pipeline::TranslateOptions& translate_options, const Options& options,
                    const pipeline::Progress& progress = {});

// docs/bench.md says what is in it.
std::string to_json(const Measurement& measurement, const pipeline::TranslateOptions& translate_options);

}  // namespace dragoman::bench
