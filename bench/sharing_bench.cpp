// SPDX-License-Identifier: Apache-2.0
// How sentences share a device: one call with lines in shuffled and in sorted order, sentences at a time, and how long
// a single short request takes alone and beside that call.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "arguments/arguments.h"
#include "base/error.h"
#include "pipeline/run/translator.h"
#include "text/token_ranges.h"

namespace {

using namespace dragoman;
using pipeline::Request;
using Json = nlohmann::json;

struct Settings {
    std::string model, input, json;
    uint32_t most = 3000, repeat = 3, pause_ms = 50;
    pipeline::TranslateOptions options{};
};

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double at(std::vector<double> values, double quantile) {
    if (values.empty()) return 0.0;
    std::ranges::sort(values);
    return values[std::min(std::size_t(quantile * double(values.size())), values.size() - 1)];
}

Json spread(const std::vector<double>& values) {
    return {{"count", values.size()},
            {"min", at(values, 0)},
            {"median", at(values, 0.5)},
            {"p90", at(values, 0.9)},
            {"max", at(values, 1)}};
}

struct Run {
    double seconds, cpu_seconds;
    pipeline::TranslatorStats stats;
};

pipeline::Tokens tokens_of(const pipeline::Model& model, std::string_view line) {
    pipeline::Tokens tokens = model.tokenize(line).tokens;
    if (model.add_text_eos()) tokens.push_back(model.eos_token());
    return tokens;
}

Run run(pipeline::Translator& translator, const std::vector<Request>& requests, const Settings& s) {
    translator.reset_stats();
    const std::clock_t cpu = std::clock();
    const auto begin = std::chrono::steady_clock::now();
    translator.translate(requests, s.options);
    const double seconds = seconds_since(begin);
    return {seconds, double(std::clock() - cpu) / CLOCKS_PER_SEC, translator.stats()};
}

Json order(const char* name, const std::vector<Run>& runs) {
    std::vector<double> seconds, cpu_seconds;
    for (const Run& r : runs) {
        seconds.push_back(r.seconds);
        cpu_seconds.push_back(r.cpu_seconds);
    }
    const auto& stats = runs.front().stats;
    const double steps = double(std::max<uint64_t>(stats.decoder_steps, 1));
    Json result{{"seconds", spread(seconds)},
                {"cpu_seconds", spread(cpu_seconds)},
                {"target_tokens", stats.target_tokens},
                {"target_tokens_per_second", double(stats.target_tokens) / at(seconds, 0.5)},
                {"padding_tokens", stats.padding_tokens},
                {"decoder_steps", stats.decoder_steps},
                {"mean_live_sentences", double(stats.slot_steps) / steps},
                {"mean_live_rows", double(stats.row_steps) / steps},
                {"encoder_passes", stats.batches},
                {"host_waits", stats.device.host_waits},
                {"memory_peak_bytes", stats.device.memory_peak_bytes}};
    fmt::print("{:9} {:7.2f} s, {:7.2f} CPU s, {} steps of {:.1f} sentences and {:.1f} rows, {} waits\n", name,
               at(seconds, 0.5), at(cpu_seconds, 0.5), stats.decoder_steps, double(stats.slot_steps) / steps,
               double(stats.row_steps) / steps, stats.device.host_waits);
    return result;
}

int work(const Settings& s) {
    const auto model = pipeline::Model::load(s.model, {});
    const auto translator = pipeline::Translator::create(model);
    std::vector<Request> shuffled;
    std::ifstream file(s.input);
    for (std::string line; shuffled.size() < s.most && std::getline(file, line);)
        shuffled.push_back({tokens_of(*model, line), {}});
    if (shuffled.empty()) fail(Status::io_error, "{}: cannot be read, or has no lines", s.input);
    std::ranges::shuffle(shuffled, std::mt19937(1));
    std::vector<Request> sorted = shuffled;
    std::ranges::stable_sort(sorted, {}, [](const Request& r) { return r.source.size(); });
    const Request single{tokens_of(*model, "Where is the station?"), {}};

    run(*translator, {shuffled.begin(), shuffled.begin() + std::min<std::ptrdiff_t>(256, std::ssize(shuffled))}, s);
    std::vector<double> alone, beside;
    for (uint32_t i = 0; i < 5 + 10 * s.repeat; ++i) {
        const double seconds = run(*translator, {single}, s).seconds;
        if (i >= 5) alone.push_back(seconds);
    }
    std::vector<Run> as_shuffled, as_sorted;
    for (uint32_t i = 0; i < s.repeat; ++i) {
        as_shuffled.push_back(run(*translator, shuffled, s));
        as_sorted.push_back(run(*translator, sorted, s));
    }
    std::atomic<bool> over = false;
    const auto begin = std::chrono::steady_clock::now();
    double bulk_seconds = 0;
    std::thread bulk([&] {
        translator->translate(shuffled, s.options);
        bulk_seconds = seconds_since(begin);
        over = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(s.pause_ms));
    while (!over) {
        const auto asked = std::chrono::steady_clock::now();
        translator->translate(std::span(&single, 1), s.options);
        if (!over) beside.push_back(seconds_since(asked));
        std::this_thread::sleep_for(std::chrono::milliseconds(s.pause_ms));
    }
    bulk.join();

    Json report{{"device", model->context().caps().name}, {"sentences", shuffled.size()}, {"model", s.model}};
    report["shuffled"] = order("shuffled", as_shuffled);
    report["sorted"] = order("sorted", as_sorted);
    std::vector<double> ratios, cpu_ratios;
    for (std::size_t i = 0; i < as_sorted.size(); ++i) {
        ratios.push_back(as_shuffled[i].seconds / as_sorted[i].seconds);
        cpu_ratios.push_back(as_shuffled[i].cpu_seconds / as_sorted[i].cpu_seconds);
    }
    report["shuffled_over_sorted"] = spread(ratios);
    report["shuffled_over_sorted_cpu"] = spread(cpu_ratios);
    report["single_alone_seconds"] = spread(alone);
    report["single_beside_bulk_seconds"] = spread(beside);
    report["bulk_with_singles_seconds"] = bulk_seconds;
    fmt::print("shuffled / sorted: {:.3f} of the time, {:.3f} of the CPU time\n", at(ratios, 0.5), at(cpu_ratios, 0.5));
    fmt::print(
        "single request: {:.1f} ms alone; {:.1f} ms beside the call (p90 {:.1f}, worst {:.1f}, {} requests), "
        "which took {:.2f} s\n",
        at(alone, 0.5) * 1e3, at(beside, 0.5) * 1e3, at(beside, 0.9) * 1e3, at(beside, 1) * 1e3, beside.size(),
        bulk_seconds);
    if (!s.json.empty()) std::ofstream(s.json) << report.dump(2) << '\n';
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    bench::Arguments arguments("Measures how sentences share a device");
    Settings s;
    arguments.option("-m,--model", s.model, "Model with a tokenizer").required();
    arguments.option("-i,--input", s.input, "One sentence per line").required();
    arguments.option("-n,--most", s.most, "Lines at most").shown();
    arguments.option("-r,--repeat", s.repeat, "Timed runs of each order").between(1, 1000).shown();
    arguments.option("--pause", s.pause_ms, "Milliseconds between single requests").shown();
    uint32_t beam = 0;
    arguments.option("-b,--beam", beam, "Beam size; 0: the model's");
    arguments.option("--batch", s.options.max_batch_size, "Sentences on the device at a time; 0: the library chooses");
    arguments.option("--json", s.json, "File for the numbers");
    if (const auto ended = arguments.parse(argc, argv)) return *ended;
    if (beam > 0) s.options.beam_size = beam;
    try {
        return work(s);
    } catch (const Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}
