// SPDX-License-Identifier: Apache-2.0
// Which kernels the library picks on a device, and what the device's compiler makes of each: loads weights of zeros in
// the shapes of usual Transformers, records searches of several sizes, and lists the kernels that were recorded.
// Nothing has to run, so it also serves drivers on a stand-in for their kernel module (vendor_compilers.sh).
// Exits with 1 where a picked kernel spills registers, needs scratch memory, or is refused.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <map>
#include <set>
#include <tuple>

#include "arguments/arguments.h"
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
std::string name_of(const Load& load) { return fmt::format("{}x{}", load.sentences, load.beam); }

struct Model {
    std::string_view name;
    spec::TransformerConfig config;
    spec::SearchStyle style = spec::SearchStyle::ctranslate2;
};

// Two layers: further ones use the same kernels.
spec::StackConfig stack_of(uint32_t heads, bool pre_norm) {
    spec::StackConfig stack{.layers = 2, .heads = heads, .head_dim = 64, .pre_norm = pre_norm};
    stack.final_norm = pre_norm;
    return stack;
}

// The base size of Vaswani et al. with norms first, the model that comes with the library (Marian's, norms last), and a
// student with a recurrent decoder.
std::vector<Model> models() {
    const spec::TransformerConfig base{.d_model = 512,
                                       .encoder_ffn = 2048,
                                       .decoder_ffn = 2048,
                                       .source_vocabulary = 32000,
                                       .target_vocabulary = 32000,
                                       .encoder = stack_of(8, true),
                                       .decoder = stack_of(8, true)};
    const spec::TransformerConfig shipped{.d_model = 256,
                                          .encoder_ffn = 1536,
                                          .decoder_ffn = 1024,
                                          .source_vocabulary = 8000,
                                          .target_vocabulary = 8000,
                                          .encoder = stack_of(4, false),
                                          .decoder = stack_of(4, false)};
    spec::TransformerConfig student = shipped;
    student.decoder_ffn = 1536;
    student.source_vocabulary = student.target_vocabulary = 32000;
    student.autoregression = spec::Autoregression::ssru;
    return {{"base", base},
            {"shipped", shipped, spec::SearchStyle::huggingface},
            {"student", student, spec::SearchStyle::marian}};
}

// Types of the matrices; with all but f32, activations are f16 where the device has it.
constexpr std::pair<std::string_view, DType> kWeights[] = {
    {"f16", DType::f16}, {"f32", DType::f32}, {"q8", DType::q8}, {"q4", DType::q4}};

// Zeros. Matrices are of `type`.
class Weights {
public:
    Weights(const spec::TransformerConfig& config, DType type) {
        const auto rules = spec::transformer_tensors(config);
        const auto dtype_of = [&](const spec::TensorRule& rule) { return rule.shape.size() == 2 ? type : DType::f32; };
        const auto bytes_of = [&](const spec::TensorRule& rule) {
            uint64_t elements = 1;
            for (const uint32_t size : rule.shape) elements *= size;
            const DType dtype = dtype_of(rule);
            return block_bytes(dtype) ? elements / 32 * block_bytes(dtype) : elements * size_bytes(dtype);
        };
        uint64_t most = 0;
        for (const spec::TensorRule& rule : rules) most = std::max(most, bytes_of(rule));
        zeros_.resize(most);
        for (const spec::TensorRule& rule : rules)
            map_.add(rule.name,
                     {.dtype = dtype_of(rule), .shape = rule.shape, .bytes = std::span(zeros_).first(bytes_of(rule))});
    }
    const spec::WeightMap& map() const { return map_; }

private:
    std::vector<std::byte> zeros_;
    spec::WeightMap map_;
};

// The encoder and one step.
void search(const std::shared_ptr<vulkan::Context>& context, const nn::Transformer& network,
            const decode::SearchRules& rules, const Load& load) {
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

struct Kernel {
    const vulkan::Shader* shader;
    vulkan::VariantKey key;
    std::vector<uint32_t> constants;
    operator vulkan::KernelUse() const { return {shader, key, constants}; }
    bool operator<(const Kernel& other) const {
        return std::tie(shader->name, key.types, constants) <
               std::tie(other.shader->name, other.key.types, other.constants);
    }
};

struct Picked {
    std::set<std::string> where;  // "base f16 32x4"
    vulkan::PipelineFacts facts{};
};

class Report {
public:
    // `loads`: "1x1", sentences and beam; none: all.
    Report(const std::string& device, const std::vector<std::string>& loads) {
        for (const Load& load : kLoads)
            if (loads.empty() || std::ranges::count(loads, name_of(load))) loads_.push_back(load);
        vulkan::ContextOptions options;
        options.device = device;
        options.cache_dir = "-";
        context_ = vulkan::Context::create(options);
        watch_dispatches(*context_, [this](const vulkan::KernelUse& use) {
            const Kernel kernel{use.shader, use.key, {use.constants.begin(), use.constants.end()}};
            picked_[kernel].where.insert(here_);
        });
    }

    // Records the kernels for a model with weights of this type. A refused kernel ends it: the next load tries again.
    void record(const Model& model, std::string_view type, DType weights) {
        const bool f16 = weights != DType::f32 && context_->caps().f16;
        if (weights == DType::f16 && !f16) return;
        const nn::Transformer network(context_, model.config, Weights(model.config, weights).map(),
                                      f16 ? DType::f16 : DType::f32);
        for (const Load& load : loads_) {
            decode::SearchRules rules{.beam_size = load.beam, .end_ids = {2}};
            rules.style = model.style;
            record(fmt::format("{} {}", model.name, type), network, rules, load);
            if (load.beam > 1)
                record(fmt::format("{}+terms {}", model.name, type), network, decode::with_terms(rules), load);
            rules.attention = rules.certainty = true;
            record(fmt::format("{}+quality {}", model.name, type), network, rules, load);
        }
    }

    void record(const std::string& what, const nn::Transformer& network, const decode::SearchRules& rules,
                const Load& load) {
        here_ = fmt::format("{} {}", what, name_of(load));
        try {
            search(context_, network, rules, load);
        } catch (const Error& error) {
            problems_.push_back(fmt::format("{}: {}", here_, error.what()));
        }
    }

    int finish(bool as_json) {
        for (auto& [kernel, picked] : picked_) {
            try {
                picked.facts = pipeline_facts(*context_, kernel);
                spilling_ += bench::spills(picked.facts) > 0 || bench::scratch(picked.facts) > 0;
            } catch (const Error& error) {
                problems_.push_back(error.what());
            }
        }
        as_json ? print_json() : print_text();
        return spilling_ > 0 || !problems_.empty() ? 1 : 0;
    }

private:
    void print_json() const {
        const vulkan::Caps& caps = context_->caps();
        json report{{"device", caps.name}, {"driver", caps.driver}, {"problems", problems_}};
        for (const auto& [kernel, picked] : picked_) {
            json entry{{"kernel", kernel.shader->name},
                       {"types", bench::variant_of(kernel.key)},
                       {"constants", kernel.constants},
                       {"where", picked.where},
                       {"subgroup_size", picked.facts.subgroup_size}};
            for (const bench::Column& column : bench::columns)
                if (const auto value = bench::figure(picked.facts, column)) entry["figures"][column.title] = *value;
            for (const vulkan::PipelineStatistic& statistic : picked.facts.statistics)
                entry["statistics"][statistic.name] = statistic.value;
            report["pipelines"].push_back(std::move(entry));
        }
        fmt::print("{}\n", report.dump(1));
    }

    void print_text() const {
        fmt::print("{:70}{:>6}", "kernel", "width");
        for (const bench::Column& column : bench::columns) fmt::print("{:>8}", column.title);
        fmt::print("\n");
        for (const auto& [kernel, picked] : picked_) {
            fmt::print("{:70}{:>6}", vulkan::kernel_name(kernel), picked.facts.subgroup_size);
            for (const bench::Column& column : bench::columns) {
                const auto value = bench::figure(picked.facts, column);
                fmt::print("{:>8}", value ? fmt::format("{:.0f}", *value) : "-");
            }
            fmt::print("\n");
        }
        for (const std::string& problem : problems_) fmt::print("{}\n", problem);
        fmt::print("{}, {}: {} kernels are picked, {} spill or need scratch memory\n", context_->caps().name,
                   context_->caps().driver, picked_.size(), spilling_);
    }

    std::shared_ptr<vulkan::Context> context_;
    std::vector<Load> loads_;
    std::string here_;
    std::map<Kernel, Picked> picked_;
    std::vector<std::string> problems_;
    int spilling_ = 0;
};

}  // namespace

int main(int argc, char** argv) try {
    bench::Arguments arguments(
        "Which kernels usual Transformers get on a device, and what its compiler makes of them.");
    std::string device;
    std::vector<std::string> names{"base", "shipped", "student"}, types{"f16", "f32", "q8", "q4"}, loads;
    bool as_json = false;
    arguments.option("--device", device, "index, UUID or part of a name; default: DRAGOMAN_DEVICE, else the best");
    arguments.option("--models", names, "of: base, shipped, student").by_commas();
    arguments.option("--weights", types, "of: f16, f32, q8, q4").by_commas();
    arguments.option("--loads", loads, "of: 1x1, 1x4, 4x4, 32x1, 32x4 (sentences x beam); default: all").by_commas();
    arguments.flag("--json", as_json, "with everything that the driver reports");
    if (const auto ended = arguments.parse(argc, argv)) return *ended;
    Report report(device, loads);
    const auto named = [](const std::vector<std::string>& list, std::string_view name) {
        return std::ranges::find(list, name) != list.end();
    };
    for (const Model& model : models())
        for (const auto& [type, weights] : kWeights)
            if (named(names, model.name) && named(types, type)) report.record(model, type, weights);
    return report.finish(as_json);
} catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
}
