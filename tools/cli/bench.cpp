// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench_picture.h"
#include "commands.h"
#include "inputs.h"
#include "written.h"

namespace cli {
namespace {

using Report = nlohmann::ordered_json;

void read_synthetic(BenchCommand& command) {
    const std::string& text = command.synthetic;
    const auto number = [](const char* begin, const char* end, uint32_t& value) {
        const auto [stop, error] = std::from_chars(begin, end, value);
        return error == std::errc() && stop == end && value > 0;
    };
    const std::size_t cross = text.find('x');
    const char *begin = text.data(), *end = begin + text.size();
    if (cross == std::string::npos || !number(begin, begin + cross, command.bench.synthetic_sentences) ||
        !number(begin + cross + 1, end, command.bench.synthetic_tokens)) {
        throw dragoman::Error(DRAGOMAN_INVALID_ARGUMENT,
                              "--synthetic: expected SENTENCESxTOKENS such as 64x25, got '" + text + "'");
    }
}

dragoman::Report run(BenchCommand& command) {
    const char* path = command.machine.path();
    const dragoman::ModelOptions& model = command.machine.how();
    command.bench.device = &command.machine.where();
    dragoman::TranslateOptions options = command.options;
    options.source_language = command.from.c_str();
    options.target_language = command.to.c_str();
    std::vector<std::string> lines;
    if (!command.input.empty()) {
        Inputs source(command.input, Inputs::Unit::line);
        for (std::string line; source.next(line);) {
            if (!line.empty()) lines.push_back(line);
        }
        if (lines.empty()) throw Failure(command.input + ": no lines with text");
    }
    if (!command.tokens) {
        const std::vector<std::string_view> texts(lines.begin(), lines.end());
        return dragoman::bench(path, texts, model, options, command.bench);
    }
    std::vector<std::vector<std::string>> sources;
    for (const std::string& line : lines) {
        std::istringstream words(line);
        std::vector<std::string>& tokens = sources.emplace_back();
        for (std::string word; words >> word;) tokens.push_back(word);
    }
    return dragoman::bench(path, dragoman::TokenViews(sources), model, options, command.bench);
}

double seconds(const Report& spread) { return spread["median"]; }

std::string range(const Report& spread) {
    return fmt::format("{:.4g} s, median of {} ({:.4g} to {:.4g})", seconds(spread), spread["count"].get<int>(),
                       spread["min"].get<double>(), spread["max"].get<double>());
}

double mebibytes(const Report& bytes) { return bytes.get<double>() / (1 << 20); }

void print_passes(const Report& profile) {
    const bool ceilings = profile.contains("of_ceiling");
    fmt::print("\n{:<24} {:>9} {:>6} {:>7} {:>10} {:>9} {:>8} {:>9}", "pass", "ms", "share", "times", "dispatches",
               "GFLOP/s", "GB/s", "FLOP/byte");
    fmt::print("{}\n", ceilings ? "  of the ceiling" : "");
    for (const Report& pass : profile["passes"]) {
        fmt::print("{:<24} {:>9.2f} {:>5.1f}% {:>7} {:>10} {:>9.2f} {:>8.2f} {:>9.2f}", pass["name"].get<std::string>(),
                   1e3 * seconds(pass["seconds"]), 100 * pass["share"].get<double>(), pass["count"].get<uint64_t>(),
                   pass["dispatches"].get<uint64_t>(), 1e-9 * pass["flops_per_second"].get<double>(),
                   1e-9 * pass["bytes_per_second"].get<double>(), pass["flops_per_byte"].get<double>());
        if (ceilings) {
            fmt::print("  {:>4.0f}%, {}", 100 * pass["of_ceiling"].get<double>(), pass["bound"].get<std::string>());
        }
        fmt::print("\n");
    }
    fmt::print("{:<24} {:>9.2f}", "together", 1e3 * profile["passes_seconds"].get<double>());
    if (ceilings) fmt::print("{:>66.0f}%", 100 * profile["of_ceiling"].get<double>());
    fmt::print("\n");
}

void print(const Report& r) {
    const Report &throughput = r["throughput"], &counters = throughput["counters"];
    fmt::print("{}, {}\n{}, {}\n", r["model"]["path"].get<std::string>(), r["model"]["compute_type"].get<std::string>(),
               r["device"]["name"].get<std::string>(), r["device"]["driver"].get<std::string>());
    fmt::print("{} sentences, {} source and {} target tokens, beam {}, {} batches, {} padding tokens\n\n",
               counters["sentences"].get<uint64_t>(), counters["source_tokens"].get<uint64_t>(),
               counters["target_tokens"].get<uint64_t>(), r["options"]["beam_size"].get<uint64_t>(),
               counters["batches"].get<uint64_t>(), counters["padding_tokens"].get<uint64_t>());
    fmt::print("first       {:.3f} s: loading {:.3f}, translating {:.3f}\n",
               r["first_translation"]["seconds"].get<double>(), r["first_translation"]["load_seconds"].get<double>(),
               r["first_translation"]["translate_seconds"].get<double>());
    fmt::print("together    {}\n", range(throughput["seconds"]));
    fmt::print("            {:.1f} target tokens/s, {:.2f} sentences/s\n",
               throughput["target_tokens_per_second"].get<double>(), throughput["sentences_per_second"].get<double>());
    fmt::print("            {} dispatches per step, {} steps, {:.3f} host waits per sentence\n",
               counters["dispatches_per_step"].get<uint64_t>(), counters["decoder_steps"].get<uint64_t>(),
               counters["host_waits_per_sentence"].get<double>());
    if (const Report& latency = r["latency"]; !latency.is_null()) {
        fmt::print("one alone   p50 {:.4g} s, p90 {:.4g}, p99 {:.4g} of {}; {:.2f} host waits\n",
                   latency["p50_seconds"].get<double>(), latency["p90_seconds"].get<double>(),
                   latency["p99_seconds"].get<double>(), latency["seconds"]["count"].get<int>(),
                   latency["counters"]["host_waits_per_sentence"].get<double>());
    }
    fmt::print("memory      device peak {:.1f} MiB, {:.1f} MiB of it weights; host peak {:.1f} MiB\n",
               mebibytes(r["memory"]["device_peak_bytes"]), mebibytes(r["memory"]["device_weights_bytes"]),
               mebibytes(r["memory"]["host_peak_bytes"]));
    if (const Report& c = r["ceilings"]; !c.is_null()) {
        fmt::print(
            "ceilings    copy {:.1f} GB/s, {} product {:.1f} GFLOP/s, empty dispatch {:.2f} us, "
            "submit and wait {:.1f} us\n",
            1e-9 * c["copy_bytes_per_second"].get<double>(), c["matmul_type"].get<std::string>(),
            1e-9 * c["matmul_flops_per_second"].get<double>(), 1e6 * c["dispatch_seconds"].get<double>(),
            1e6 * c["submit_wait_seconds"].get<double>());
    }
    if (!r["load_average"].is_null()) fmt::print("load        {:.1f}\n", r["load_average"][0].get<double>());
    if (!r["profile"].is_null()) print_passes(r["profile"]);
}

}  // namespace

void bench(BenchCommand& command) {
    if (!command.synthetic.empty()) read_synthetic(command);
    if (!command.input.empty()) check_input_stays(command.input, command.plot);
    check_can_be_written(command.plot);
    const dragoman::Report measured = run(command);
    const Report report = Report::parse(measured.json());
    if (command.json) fmt::print("{}\n", measured.json());
    else print(report);
    if (!command.plot.empty()) write_file(command.plot, draw_report(report).png());
}

}  // namespace cli
