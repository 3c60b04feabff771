// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/os/process.h"
#include "bench/bench.h"
#include "bench/spread.h"

namespace dragoman::bench {
namespace {

using Json = nlohmann::ordered_json;

Json spread(const std::vector<double>& values) {
    if (values.empty()) return nullptr;
    const auto [low, high] = std::ranges::minmax(values);
    return {{"median", median(values)}, {"min", low}, {"max", high}, {"count", values.size()}};
}

double best(const std::vector<double>& seconds) { return seconds.empty() ? 0 : *std::ranges::min_element(seconds); }

double ratio(double a, double b) { return b > 0 ? a / b : 0; }

Json device_json(const vulkan::Caps& caps) {
    static constexpr std::array kKinds{"discrete", "integrated", "virtual", "cpu", "other"};
    return {{"name", caps.name},
            {"driver", caps.driver},
            {"kind", kKinds.at(std::size_t(caps.kind))},
            {"subgroup_size", caps.subgroup_size},
            {"cooperative_matrix", !caps.coop_shapes.empty()},
            {"timestamps", caps.timestamps}};
}

Json model_json(const pipeline::ModelInfo& info) {
    return {{"path", info.path},
            {"format", info.format},
            {"family", info.family},
            {"stored_types", info.stored_types},
            {"compute_type", info.compute_type},
            {"compute_reason", info.compute_reason},
            {"parameters", info.parameters},
            {"d_model", info.d_model},
            {"heads", info.heads},
            {"encoder_layers", info.encoder_layers},
            {"decoder_layers", info.decoder_layers},
            {"encoder_ffn", info.encoder_ffn},
            {"decoder_ffn", info.decoder_ffn},
            {"target_vocabulary", info.target_vocabulary},
            {"device_bytes", info.device_bytes}};
}

Json counters(const pipeline::TranslatorStats& stats) {
    return {{"sentences", stats.sentences},
            {"source_tokens", stats.source_tokens},
            {"target_tokens", stats.target_tokens},
            {"padding_tokens", stats.padding_tokens},
            {"repeated_sentences", stats.repeated_sentences},
            {"batches", stats.batches},
            {"decoder_steps", stats.decoder_steps},
            {"mean_live_sentences", ratio(double(stats.slot_steps), double(stats.decoder_steps))},
            {"mean_live_rows", ratio(double(stats.row_steps), double(stats.decoder_steps))},
            {"dispatches_per_step", stats.dispatches_per_step},
            {"pipelines_awaited", stats.pipelines_awaited},
            {"pipelines_late", stats.pipelines_late},
            {"dispatches", stats.device.dispatches},
            {"submissions", stats.device.submissions},
            {"host_waits", stats.device.host_waits},
            {"host_waits_per_sentence", ratio(double(stats.device.host_waits), double(stats.sentences))}};
}

struct Rates {
    double copy = 0, matmul = 0, dispatch_seconds = 0;
};

Rates rates(const Ceilings& c) {
    return {ratio(c.copy_bytes, best(c.copy_seconds)),
            ratio(2.0 * c.matmul_rows * c.matmul_n * c.matmul_k, best(c.matmul_seconds)), best(c.dispatch_seconds)};
}

Json ceilings_json(const Ceilings& c) {
    const Rates r = rates(c);
    return {{"copy_bytes_per_second", r.copy},
            {"copy_bytes", c.copy_bytes},
            {"copy_seconds", spread(c.copy_seconds)},
            {"matmul_flops_per_second", r.matmul},
            {"matmul_shape", {c.matmul_rows, c.matmul_n, c.matmul_k}},
            {"matmul_type", std::string(name(c.matmul_type))},
            {"matmul_seconds", spread(c.matmul_seconds)},
            {"dispatch_seconds", r.dispatch_seconds},
            {"dispatch_seconds_spread", spread(c.dispatch_seconds)},
            {"submit_wait_seconds", median(c.submit_wait_seconds)},
            {"submit_wait_seconds_spread", spread(c.submit_wait_seconds)}};
}

// The time that the ceilings alone would take, and the ceiling that sets it.
std::pair<double, const char*> least_seconds(const vulkan::PassTime& pass, const Rates& r) {
    const std::array<std::pair<double, const char*>, 3> candidates{
        {{ratio(pass.work.flops, r.matmul), "compute"},
         {ratio(pass.work.bytes, r.copy), "memory"},
         {double(pass.dispatches) * r.dispatch_seconds, "dispatch"}}};
    return *std::ranges::max_element(candidates, {}, [](const auto& entry) { return entry.first; });
}

Json passes_json(const Measurement& m) {
    const Rates r = rates(m.ceilings);
    Json passes = Json::array();
    double total = 0, least_total = 0;
    if (m.passes.empty()) return nullptr;
    for (const vulkan::PassTime& pass : m.passes.back()) {
        std::vector<double> seconds;
        for (const auto& run : m.passes)
            for (const vulkan::PassTime& time : run)
                if (time.name == pass.name) seconds.push_back(time.total_ns * 1e-9);
        const double typical = median(seconds);
        const auto [least, bound] = least_seconds(pass, r);
        total += typical;
        least_total += least;
        passes.push_back({{"name", pass.name},
                          {"count", pass.count},
                          {"dispatches", pass.dispatches},
                          {"seconds", spread(seconds)},
                          {"share", 0.0},
                          {"flops", pass.work.flops},
                          {"bytes", pass.work.bytes},
                          {"flops_per_second", ratio(pass.work.flops, typical)},
                          {"bytes_per_second", ratio(pass.work.bytes, typical)},
                          {"flops_per_byte", ratio(pass.work.flops, pass.work.bytes)}});
        if (r.copy > 0) {
            passes.back().update({{"least_seconds", least}, {"bound", bound}, {"of_ceiling", ratio(least, typical)}});
        }
    }
    for (Json& pass : passes) pass["share"] = ratio(pass["seconds"]["median"], total);
    std::stable_sort(passes.begin(), passes.end(),
                     [](const Json& a, const Json& b) { return double(a["share"]) > double(b["share"]); });
    Json profile = {{"runs", m.passes.size()}, {"wall_seconds", spread(m.profiled_seconds)}, {"passes_seconds", total}};
    if (r.copy > 0) profile.update({{"least_seconds", least_total}, {"of_ceiling", ratio(least_total, total)}});
    profile["passes"] = std::move(passes);
    return profile;
}

Json load_average() {
    if (const auto loads = os::load_average()) return *loads;
    return nullptr;
}

}  // namespace

std::string to_json(const Measurement& m, const pipeline::TranslateOptions& options) {
    const double seconds = median(m.seconds);
    Json json = {{"schema", "dragoman-bench/1"},
                 {"device", device_json(m.device)},
                 {"model", model_json(m.model)},
                 {"options",
                  {{"beam_size", m.search.beam_size},
                   {"max_batch_size", options.max_batch_size},
                   {"max_decoding_length", m.search.max_length},
                   {"min_decoding_length", m.search.min_length}}},
                 {"first_translation",
                  {{"load_seconds", m.load_seconds},
                   {"translate_seconds", m.first_seconds},
                   {"seconds", m.load_seconds + m.first_seconds}}},
                 {"throughput",
                  {{"target_tokens_per_second", ratio(double(m.stats.target_tokens), seconds)},
                   {"source_tokens_per_second", ratio(double(m.stats.source_tokens), seconds)},
                   {"sentences_per_second", ratio(double(m.stats.sentences), seconds)},
                   {"seconds", spread(m.seconds)},
                   {"cpu_seconds", spread(m.cpu_seconds)},
                   {"warm_up_seconds", m.warm_up_seconds},
                   {"counters", counters(m.stats)}}},
                 {"latency", nullptr},
                 {"memory",
                  {{"device_peak_bytes", m.device_peak_bytes},
                   {"device_weights_bytes", m.model.device_bytes},
                   {"host_peak_bytes", m.host_peak_bytes}}},
                 {"ceilings", nullptr},
                 {"profile", passes_json(m)},
                 {"load_average", load_average()}};
    if (!m.latencies.empty()) {
        json["latency"] = {{"p50_seconds", percentile(m.latencies, 0.5)},
                           {"p90_seconds", percentile(m.latencies, 0.9)},
                           {"p99_seconds", percentile(m.latencies, 0.99)},
                           {"seconds", spread(m.latencies)},
                           {"counters", counters(m.latency_stats)}};
    }
    if (!m.ceilings.copy_seconds.empty()) json["ceilings"] = ceilings_json(m.ceilings);
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace dragoman::bench
