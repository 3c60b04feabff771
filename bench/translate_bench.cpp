// SPDX-License-Identifier: Apache-2.0
// Speed of whole translations with one model: seconds, rates, dispatches and waits, and where the device's time goes.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "arguments/arguments.h"
#include "base/error.h"
#include "pipeline/run/translator.h"
#include "text/vocabulary.h"

namespace {

using namespace dragoman;
using pipeline::ComputeType;
using pipeline::Request;
using Json = nlohmann::json;

struct Settings {
    std::string model, device, tokens, output, json, compute_type = "auto";
    uint32_t synthetic = 0, length = 25, seed = 1, repeat = 5;
    bool profile = false, dispatches = false, paced = false;
    pipeline::TranslateOptions options{
        .beam_size = 1, .max_decoding_length = 256, .min_decoding_length = 1, .max_batch_size = 32};
};

void parse(bench::Arguments& arguments, Settings& s) {
    arguments.option("-m,--model", s.model, "Model directory").required();
    auto tokens = arguments.option("-t,--tokens", s.tokens, "One sentence per line, tokens separated by spaces");
    auto synthetic = arguments.option("--synthetic", s.synthetic, "Sentences of random tokens instead");
    synthetic.excludes(tokens);
    arguments.option("--length", s.length, "Tokens of each sentence").needs(synthetic).shown();
    arguments.option("--seed", s.seed, "Seed of the random tokens").needs(synthetic).shown();
    arguments.option("-b,--beam", *s.options.beam_size, "Beam size; 1: greedy").shown();
    arguments.option("--batch", s.options.max_batch_size, "Sentences per batch; 0: the library chooses").shown();
    arguments.option("--max-length", *s.options.max_decoding_length, "Target tokens at most").shown();
    arguments.option("--min-length", *s.options.min_decoding_length, "Target tokens at least").shown();
    arguments.option("-r,--repeat", s.repeat, "Timed runs, after one to warm up").between(1, 100000).shown();
    arguments.option("-d,--device", s.device, "Index, UUID or part of the name");
    arguments.option("--compute-type", s.compute_type, "auto: int8 for a model made for it, else float16 on GPUs")
        .one_of({"auto", "float32", "float16", "int8", "int8_float16"})
        .shown();
    arguments.flag("--shortlist", s.options.use_shortlist, "Only tokens of the model's shortlist");
    arguments.flag("--profile", s.profile, "One more run with timestamps, which waits for every submission");
    arguments.flag("--dispatches", s.dispatches,
                   "The same, and another with timestamps around every dispatch: JSON for predict.py");
    arguments.option("--json", s.json, "File for the results; - is standard output");
    arguments.option("-o,--output", s.output, "File for the translations, tokens separated by spaces");
    arguments.flag(
        "--paced", s.paced,
        "Print \"ready\" when warm, wait for a line on standard input before every run and print its seconds: "
        "for scripts that alternate with another engine");
}

ComputeType compute_type(const std::string& name) {
    if (name == "float32") return ComputeType::f32;
    if (name == "int8") return ComputeType::int8;
    if (name == "int8_float16") return ComputeType::int8_f16;
    return name == "float16" ? ComputeType::f16 : ComputeType::automatic;
}

std::shared_ptr<const pipeline::Model> load(const Settings& s, bool profiling = false, bool dispatches = false) {
    const vulkan::ContextOptions device{.device = s.device, .profiling = profiling, .dispatch_times = dispatches};
    return pipeline::Model::load(s.model, {.device = engine::Device::open(device),
                                           .compute_type = compute_type(s.compute_type)});
}

std::vector<Request> read_requests(const std::string& path) {
    std::ifstream file(path);
    if (!file) fail(Status::io_error, "{}: cannot be opened", path);
    std::vector<Request> requests;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        Request& request = requests.emplace_back();
        for (std::string word; words >> word;) request.source.push_back(word);
    }
    return requests;
}

std::vector<Request> synthetic_requests(const pipeline::Model& model, const Settings& s) {
    const text::Vocabulary& vocabulary = model.source();
    std::vector<std::string> words;
    for (uint32_t id = 0; id < vocabulary.size(); ++id)
        if (const std::string& token = vocabulary.token(id); !token.starts_with("<")) words.push_back(token);
    if (words.empty()) fail(Status::invalid_argument, "{}: no words in the vocabulary", s.model);
    std::mt19937 random(s.seed);
    std::vector<Request> requests(s.synthetic);
    for (Request& request : requests)
        for (uint32_t i = 0; i < s.length; ++i) request.source.push_back(words[random() % words.size()]);
    return requests;
}

void write_translations(const std::string& path, const std::vector<pipeline::Result>& results) {
    std::ofstream file(path);
    for (const auto& result : results) file << fmt::format("{}\n", fmt::join(result.hypotheses.at(0).tokens, " "));
    if (!file.flush()) fail(Status::io_error, "{}: cannot be written", path);
}

struct Measurement {
    std::vector<double> seconds;      // per run
    std::vector<double> cpu_seconds;  // of all threads; on a CPU device the better measure when others compute, too
    double warm_up_seconds = 0;
    pipeline::TranslatorStats stats;  // of one run
    std::vector<vulkan::PassTime> passes, dispatches;
    pipeline::ModelInfo model;
    std::string device, driver;
    std::size_t sentences = 0;
};

double median(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double timed(const auto& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void wait_for_line() {
    std::fflush(stdout);
    if (std::string line; !std::getline(std::cin, line)) fail(Status::cancelled, "standard input ended");
}

// Profiles a second run: the first one records.
std::vector<vulkan::PassTime> profile(const Settings& s, const std::vector<Request>& requests, bool dispatches) {
    const auto translator = pipeline::Translator::create(load(s, true, dispatches));
    translator->translate(requests, s.options);
    translator->model().context().reset_pass_times();
    translator->translate(requests, s.options);
    auto times = translator->model().context().pass_times();
    std::ranges::sort(times, std::greater<>(), &vulkan::PassTime::total_ns);
    return times;
}

Measurement measure(const Settings& s) {
    Measurement m;
    auto model = load(s);
    const std::vector<Request> requests = s.tokens.empty() ? synthetic_requests(*model, s) : read_requests(s.tokens);
    if (requests.empty()) fail(Status::invalid_argument, "no sentences: give --tokens or --synthetic");
    m.model = model->info();
    m.device = model->context().caps().name;
    m.driver = model->context().caps().driver;
    m.sentences = requests.size();
    std::vector<pipeline::Result> results;
    {
        const auto translator = pipeline::Translator::create(std::move(model));
        m.warm_up_seconds = timed([&] { results = translator->translate(requests, s.options); });
        if (s.paced) fmt::print("ready\n");
        for (uint32_t run = 0; run < s.repeat; ++run) {
            if (s.paced) wait_for_line();
            translator->reset_stats();
            const std::clock_t cpu = std::clock();
            m.seconds.push_back(timed([&] { results = translator->translate(requests, s.options); }));
            m.cpu_seconds.push_back(double(std::clock() - cpu) / CLOCKS_PER_SEC);
            if (s.paced) fmt::print("{:.6f}\n", m.seconds.back());
        }
        m.stats = translator->stats();
    }
    if (!s.output.empty()) write_translations(s.output, results);
    if (s.profile || s.dispatches) m.passes = profile(s, requests, false);
    if (s.dispatches) {
        m.dispatches = profile(s, requests, true);
        std::erase_if(m.dispatches, [](const vulkan::PassTime& time) { return time.kernel.empty(); });
    }
    return m;
}

Json to_json(const Measurement& m, const Settings& s) {
    const double seconds = median(m.seconds), sentences = double(m.sentences);
    Json json = {{"device", m.device},
                 {"driver", m.driver},
                 {"model",
                  {{"parameters", m.model.parameters},
                   {"d_model", m.model.d_model},
                   {"layers", {m.model.encoder_layers, m.model.decoder_layers}},
                   {"ffn", m.model.decoder_ffn},
                   {"vocabulary", m.model.target_vocabulary},
                   {"compute_type", m.model.compute_type}}},
                 {"sentences", m.sentences},
                 {"beam", *s.options.beam_size},
                 {"batch", s.options.max_batch_size},
                 {"max_length", *s.options.max_decoding_length},
                 {"min_length", *s.options.min_decoding_length},
                 {"shortlist", s.options.use_shortlist},
                 {"source_tokens", m.stats.source_tokens},
                 {"target_tokens", m.stats.target_tokens},
                 {"seconds", m.seconds},
                 {"median_seconds", seconds},
                 {"cpu_seconds", m.cpu_seconds},
                 {"median_cpu_seconds", median(m.cpu_seconds)},
                 {"warm_up_seconds", m.warm_up_seconds},
                 {"sentences_per_second", sentences / seconds},
                 {"target_tokens_per_second", double(m.stats.target_tokens) / seconds},
                 {"steps_per_second", double(m.stats.decoder_steps) / seconds},
                 {"batches", m.stats.batches},
                 {"steps", m.stats.decoder_steps},
                 {"dispatches_per_step", m.stats.dispatches_per_step},
                 {"dispatches", m.stats.device.dispatches},
                 {"submissions", m.stats.device.submissions},
                 {"host_waits", m.stats.device.host_waits},
                 {"host_waits_per_sentence", double(m.stats.device.host_waits) / sentences},
                 {"memory_peak_bytes", m.stats.device.memory_peak_bytes}};
    for (const auto& pass : m.passes)
        json["passes"].push_back({{"name", pass.name},
                                  {"count", pass.count},
                                  {"seconds", pass.total_ns * 1e-9},
                                  {"gflops", pass.work.flops / pass.total_ns},
                                  {"gigabytes_per_second", pass.work.bytes / pass.total_ns}});
    for (const auto& d : m.dispatches)
        json["dispatch_times"].push_back({{"pass", d.name},
                                          {"kernel", d.kernel},
                                          {"waits", d.waits},
                                          {"count", d.count},
                                          {"groups", d.groups},
                                          {"flops", d.work.flops},
                                          {"bytes", d.work.bytes},
                                          {"seconds", d.total_ns * 1e-9}});
    return json;
}

void print(const Json& r) {
    const auto get = [&](const char* key) { return r.at(key).get<double>(); };
    const auto [low, high] = std::ranges::minmax(r.at("seconds").get<std::vector<double>>());
    fmt::print("{} on {} ({})\n", r["model"]["compute_type"].get<std::string>(), r["device"].get<std::string>(),
               r["driver"].get<std::string>());
    fmt::print("{} sentences, {} source and {} target tokens, beam {}, {} batches\n", get("sentences"),
               get("source_tokens"), get("target_tokens"), get("beam"), get("batches"));
    fmt::print("seconds      median {:.4f} of {} ({:.4f} to {:.4f}), first {:.4f}; CPU seconds {:.4f}\n",
               get("median_seconds"), r["seconds"].size(), low, high, get("warm_up_seconds"),
               get("median_cpu_seconds"));
    fmt::print("per second   {:.2f} sentences, {:.1f} target tokens, {:.1f} steps\n", get("sentences_per_second"),
               get("target_tokens_per_second"), get("steps_per_second"));
    fmt::print("steps        {} with {} dispatches each\n", get("steps"), get("dispatches_per_step"));
    fmt::print("per sentence {:.3f} host waits, {:.3f} submissions, {:.1f} dispatches\n",
               get("host_waits_per_sentence"), get("submissions") / get("sentences"),
               get("dispatches") / get("sentences"));
    fmt::print("memory peak  {:.1f} MB\n", get("memory_peak_bytes") * 1e-6);
    if (!r.contains("passes")) return;
    double total = 0;
    for (const Json& pass : r["passes"]) total += pass["seconds"].get<double>();
    fmt::print("\n{:<24} {:>9} {:>6} {:>7} {:>9} {:>8} {:>7}\n", "pass", "ms", "share", "times", "us each", "GFLOP/s",
               "GB/s");
    for (const Json& pass : r["passes"]) {
        const double seconds = pass["seconds"], count = pass["count"];
        fmt::print("{:<24} {:>9.2f} {:>5.1f}% {:>7} {:>9.1f} {:>8.1f} {:>7.1f}\n", pass["name"].get<std::string>(),
                   seconds * 1e3, 100 * seconds / total, count, seconds / count * 1e6, pass["gflops"].get<double>(),
                   pass["gigabytes_per_second"].get<double>());
    }
    fmt::print("{:<24} {:>9.2f}\n", "together", total * 1e3);
}

}  // namespace

int main(int argc, char** argv) {
    bench::Arguments arguments("Measures translations of tokens with one model");
    Settings settings;
    parse(arguments, settings);
    if (const auto ended = arguments.parse(argc, argv)) return *ended;
    try {
        const Json results = to_json(measure(settings), settings);
        if (settings.json != "-") print(results);
        if (settings.json == "-") fmt::print("{}\n", results.dump(2));
        else if (!settings.json.empty()) std::ofstream(settings.json) << results.dump(2) << '\n';
    } catch (const Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}
