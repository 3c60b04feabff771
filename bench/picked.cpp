// SPDX-License-Identifier: Apache-2.0
// Which kernels the library picks on a device for a Transformer of base size, and what the device's compiler makes of
// each: loads random weights, records searches of several sizes, and lists what was compiled. Nothing has to run, so it
// also serves drivers on a stand-in for their kernel module (package mesa-drm-shim).
// Exits with 1 where a picked kernel spills registers or needs scratch memory.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <map>
#include <set>
#include <tuple>

#include "base/error.h"
#include "decode/session.h"
#include "nn/transformer.h"
#include "pipeline_figures.h"
#include "spec/transformer_tensors.h"

namespace {

using namespace dragoman;
using nlohmann::json;

constexpr uint32_t kSourceTokens = 25, kLength = 32;

// How many sentences at a time, and with what beam.
struct Load {
    uint32_t sentences, beam;
};
constexpr Load kLoads[] = {{1, 1}, {1, 4}, {4, 4}, {32, 1}, {32, 4}};

spec::TransformerConfig base_config() {
    spec::TransformerConfig config{.d_model = 512, .encoder_ffn = 2048, .decoder_ffn = 2048,
                                   .source_vocabulary = 32000, .target_vocabulary = 32000};
    for (spec::StackConfig* stack : {&config.encoder, &config.decoder}) {
        stack->layers = 2;  // further ones use the same kernels
        stack->head_dim = 64;
        stack->final_norm = true;
    }
    return config;
}

// Zeros. Matrices are of `type`.
class Weights {
public:
    Weights(const spec::TransformerConfig& config, DType type) {
        const auto rules = spec::transformer_tensors(config);
        const auto bytes_of = [&](const spec::TensorRule& rule) {
            uint64_t elements = 1;
            for (const uint32_t size : rule.shape) elements *= size;
            const DType dtype = rule.shape.size() == 2 ? type : DType::f32;
            return block_bytes(dtype) ? elements / 32 * block_bytes(dtype) : elements * size_bytes(dtype);
        };
        uint64_t most = 0;
        for (const spec::TensorRule& rule : rules) most = std::max(most, bytes_of(rule));
        zeros_.resize(most);
        for (const spec::TensorRule& rule : rules)
            map_.add(rule.name, {.dtype = rule.shape.size() == 2 ? type : DType::f32,
                                 .shape = rule.shape,
                                 .bytes = std::span(zeros_).first(bytes_of(rule))});
    }
    const spec::WeightMap& map() const { return map_; }

private:
    std::vector<std::byte> zeros_;
    spec::WeightMap map_;
};

// The encoder and one step.
void search(const std::shared_ptr<vulkan::Context>& context, const nn::Transformer& network, const Load& load) {
    const decode::SearchRules rules{.beam_size = load.beam, .end_ids = {2}};
    const auto shape = decode::SessionShape::of(rules, {.slots = load.sentences,
                                                        .source_tokens = load.sentences * 32,
                                                        .longest_source = 32,
                                                        .max_length = kLength,
                                                        .cache_places = load.sentences * load.beam * (kLength + 1)});
    decode::Session session(context, network, rules, shape);
    decode::SearchInput input;
    input.source.assign(kSourceTokens, 5);
    input.max_length = kLength;
    const std::vector<decode::Session::Entrant> entrants(load.sentences, {.input = &input, .steps = kLength});
    session.enter(entrants);
    decode::SearchStats stats;
    session.advance(1, 1, decode::Urgency::bulk, stats);
}

struct Picked {
    std::set<std::string> types;
    vulkan::PipelineFacts facts{};
    std::string refused{};
};

std::string types_of(vulkan::VariantKey key) {
    return fmt::format("{}/{}/{}", name(key.types[0]), name(key.types[1]), name(key.types[2]));
}

json to_json(const vulkan::CompiledPipeline& pipeline, const Picked& picked) {
    json entry{{"kernel", pipeline.shader->name}, {"types", types_of(pipeline.key)},
               {"constants", pipeline.constants}, {"models", picked.types},
               {"subgroup_size", picked.facts.subgroup_size}, {"compile_ms", picked.facts.compile_ms}};
    for (const bench::Column& column : bench::columns)
        if (const auto value = bench::figure(picked.facts, column)) entry["figures"][column.title] = *value;
    for (const vulkan::PipelineStatistic& statistic : picked.facts.statistics)
        entry["statistics"][statistic.name] = statistic.value;
    if (!picked.refused.empty()) entry["refused"] = picked.refused;
    return entry;
}

void print(const vulkan::CompiledPipeline& pipeline, const Picked& picked) {
    fmt::print("{:55}{:30}{:>4}", fmt::format("{} {}", pipeline.shader->name, types_of(pipeline.key)),
               fmt::format("{}", fmt::join(pipeline.constants, ",")), picked.facts.subgroup_size);
    for (const bench::Column& column : bench::columns) {
        const auto value = bench::figure(picked.facts, column);
        fmt::print("{:>8}", value ? fmt::format("{:.0f}", *value) : "-");
    }
    fmt::print("{}\n", picked.refused);
}

struct ByName {
    bool operator()(const vulkan::CompiledPipeline& a, const vulkan::CompiledPipeline& b) const {
        return std::tie(a.shader->name, a.key.types, a.constants) < std::tie(b.shader->name, b.key.types, b.constants);
    }
};
using PickedPipelines = std::map<vulkan::CompiledPipeline, Picked, ByName>;

// What the library compiles for models with weights of such types.
PickedPipelines pick(const vulkan::ContextOptions& options, json& report) {
    PickedPipelines all;
    const auto config = base_config();
    for (const auto& [weights, computed] : {std::pair{DType::f32, DType::f32}, {DType::f32, DType::f16},
                                            {DType::q8, DType::f16}, {DType::q4, DType::f16}}) {
        const auto context = vulkan::Context::create(options);
        const DType type = context->caps().f16 ? computed : DType::f32;
        const std::string model = weights == DType::f32 ? std::string(name(type)) : std::string(name(weights));
        try {
            const nn::Transformer network(context, config, Weights(config, weights).map(), type);
            for (const Load& load : kLoads) search(context, network, load);
        } catch (const Error& error) {
            report["problems"].push_back(fmt::format("{}: {}", model, error.what()));
        }
        for (const auto& pipeline : compiled_pipelines(*context)) all[pipeline].types.insert(model);
    }
    return all;
}

int run(const std::string& device, bool as_json) {
    json report;
    vulkan::ContextOptions options;
    options.device = device;
    options.cache_dir = "-";
    auto picked = pick(options, report);
    vulkan::PipelineReporter reporter(device);
    report["device"] = reporter.caps().name;
    report["driver"] = reporter.caps().driver;
    int spilling = 0;
    for (auto& [pipeline, one] : picked) {
        try {
            one.facts = reporter.compile(*pipeline.shader, pipeline.key, pipeline.constants);
        } catch (const Error& error) {
            one.refused = error.what();
        }
        spilling += bench::spills(one.facts) > 0 || bench::scratch(one.facts) > 0;
        if (as_json) report["pipelines"].push_back(to_json(pipeline, one));
        else print(pipeline, one);
    }
    if (as_json) {
        fmt::print("{}\n", report.dump(1));
    } else {
        for (const json& problem : report.value("problems", json::array()))
            fmt::print("{}\n", problem.get<std::string>());
        fmt::print("{}, {}: {} pipelines are picked, {} spill or need scratch memory\n", reporter.caps().name,
                   reporter.caps().driver, picked.size(), spilling);
    }
    return spilling > 0 || report.contains("problems") ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) try {
    CLI::App app("Which kernels a Transformer of base size gets on a device, and what its compiler makes of them.");
    std::string device;
    bool as_json = false;
    app.add_option("--device", device, "index, UUID or part of a name; default: DRAGOMAN_DEVICE, else the best");
    app.add_flag("--json", as_json, "with everything that the driver reports");
    CLI11_PARSE(app, argc, argv);
    return run(device, as_json);
} catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
}
