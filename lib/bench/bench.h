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
    vulkan::ContextOptions device{};                      // every part of the measurement opens a device of its own
    uint32_t repeat = 5;                                  // timed runs, after one to warm up
    uint32_t latency_samples = 32;                        // inputs translated alone; 0: none
    uint32_t synthetic_sentences = 32, synthetic_tokens = 25, seed = 1;  // without inputs: random words
    bool ceilings = true, passes = true;
};

struct Measurement {
    // The model and the device.
    pipeline::ModelInfo model;
    vulkan::Caps device;
    spec::SearchDefaults search;  // with the caller's options
    // The first translation of a process: loading, then one input alone.
    double load_seconds = 0, first_seconds = 0;
    // All inputs, in one call.
    double warm_up_seconds = 0;
    std::vector<double> seconds, cpu_seconds;  // one value per run
    pipeline::TranslatorStats stats;          // counted in one run
    // Inputs translated alone, one after the other.
    std::vector<double> latencies;
    pipeline::TranslatorStats latency_stats;
    uint64_t device_peak_bytes = 0, host_peak_bytes = 0;  // host: memory of the process, 0 where unknown
    Ceilings ceilings;
    // Runs with timestamps, which wait for every submission.
    std::vector<double> profiled_seconds;
    std::vector<std::vector<vulkan::PassTime>> passes;  // the passes of each of these runs
};

// The inputs are source tokens; without any, random words of the vocabulary are used. The compute type is the only
// model option that counts. Throws what loading and translating throw, and invalid_argument for options out of range.
Measurement measure(const std::string& model_path, const pipeline::ModelOptions& model_options,
                    std::vector<pipeline::Request> inputs, const pipeline::TranslateOptions& translate_options,
                    const Options& options, const pipeline::Progress& progress = {});
// Measures the sentences of texts, as translate_texts() gives them to the model: each distinct one once, without those
// that it only copies. Throws what translate_texts() throws, and unsupported where no sentence is left.
Measurement measure(const std::string& model_path, const pipeline::ModelOptions& model_options,
                    std::span<const std::string_view> texts, const pipeline::TextOptions& text_options,
                    const pipeline::TranslateOptions& translate_options, const Options& options,
                    const pipeline::Progress& progress = {});

// The report as JSON; docs/bench.md describes its fields.
std::string to_json(const Measurement& measurement, const pipeline::TranslateOptions& translate_options);

}  // namespace dragoman::bench
