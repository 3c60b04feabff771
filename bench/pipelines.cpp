// SPDX-License-Identifier: Apache-2.0
// Compiles every kernel for one device and prints what its compiler reports: registers, spills, scratch, shared
// memory, occupancy. Nothing runs, so it also serves RADV's null devices, which only compile:
//   NODEVICE_SELECT=1 RADV_FORCE_FAMILY=navi21 VK_ICD_FILENAMES=.../radeon_icd.x86_64.json bench_pipelines
// Exits with 1 where a kernel that the device can run does not compile, spills, or is missing from the table below.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "decode/kernels.h"
#include "ops/kernels.h"
#include "vulkan/pipeline_report.h"

namespace {

using namespace dragoman;
using vulkan::Shader;

struct Row {
    const Shader* shader;
    std::vector<uint32_t> constants;
};

template <class Push, uint32_t kBuffers>
void add(std::vector<Row>& rows, const vulkan::Kernel<Push, vulkan::NoTile, kBuffers>& kernel) {
    rows.push_back({kernel.shader, {}});
}

template <class Push, class Tile, uint32_t kBuffers>
void add(std::vector<Row>& rows, const vulkan::Kernel<Push, Tile, kBuffers>& kernel,
         std::initializer_list<Tile> tiles) {
    for (const Tile& tile : tiles) {
        std::vector<uint32_t> constants(sizeof(Tile) / sizeof(uint32_t));
        std::memcpy(constants.data(), &tile, sizeof(Tile));
        rows.push_back({kernel.shader, std::move(constants)});
    }
}

// The tiles that lib/ops picks for such a device, by field name; kernels it would not pick are there as well.
std::vector<Row> table(const vulkan::Caps& caps) {
    using namespace kernels;
    const bool cpu = caps.is_cpu();
    std::vector<Row> rows;
    for (const uint32_t activation : {shared::kActivationNone, shared::kActivationGelu}) {
        add(rows, matmul_tiled,
            {{.activation = activation, .invocations = 128, .tile_rows = 64, .tile_k = 32, .rows = 8, .x_quads = 1}});
        for (const uint32_t r : {2u, 16u})
            add(rows, matmul_block, {{.activation = activation, .lanes = std::min(caps.subgroup_size, 8u), .rows = r}});
        for (const uint32_t r : {1u, 4u, 8u})
            add(rows, matmul_vec, {{.activation = activation,
                                    .invocations = 64,
                                    .rows = r,
                                    .unroll = cpu ? 8u : r > 4 ? 16u : 32u,
                                    .x_quads = 1}});
    }
    const uint32_t lanes = cpu ? 8 : 64, keys = cpu ? 4 : 1;
    for (const uint32_t head_dim : {64u, 128u}) {
        const uint32_t groups = std::max(1u, lanes * 4 / head_dim);
        const StepAttentionTile step{
            .lanes = lanes, .head_dim = head_dim, .quads = 1, .value_groups = groups, .keys_per_lane = keys};
        const StepAttentionSubgroupTile subgroup{.lanes = caps.subgroup_size, .head_dim = head_dim, .quads = 1};
        add(rows, step_self_attention, {step});
        add(rows, step_cross_attention, {step});
        add(rows, step_self_attention_subgroup, {subgroup});
        add(rows, step_cross_attention_subgroup, {subgroup});
        add(rows, encoder_attention, {{.lanes = lanes,
                                       .head_dim = head_dim,
                                       .quads = 1,
                                       .value_groups = groups,
                                       .keys_per_lane = keys,
                                       .queries = 8}});
        add(rows, encoder_attention_subgroup,
            {{.lanes = caps.subgroup_size, .head_dim = head_dim, .quads = 1, .queries = 8}});
    }
    const uint32_t wide = cpu ? 8 : 128, list = cpu ? 8 : 4;
    add(rows, layer_norm, {{.invocations = wide, .lanes = wide, .count = cpu ? 16u : 2u, .quads = 1}});
    add(rows, softmax, {{.lanes = wide}});
    add(rows, topk_partial, {{.lanes = wide, .list = 1, .quads = 1}, {.lanes = wide, .list = list, .quads = 1}});
    add(rows, topk_merge, {{.lanes = wide, .list = 1}, {.lanes = wide, .list = list}});
    add(rows, activate, {{.activation = shared::kActivationGelu, .invocations = 64}});
    add(rows, gather_rows, {{.invocations = 64}});
    add(rows, embed, {{.invocations = 64}});
    add(rows, group_arguments);
    add(rows, compact);
    add(rows, process_logits);
    add(rows, beam_step);
    return rows;
}

// One figure under the names that drivers give it.
struct Column {
    const char* title;
    std::vector<std::string> names;
};

const std::vector<Column> columns{
    {"vgpr", {"VGPRs", "Register Count"}},
    {"sgpr", {"SGPRs"}},
    {"spill", {"Spilled VGPRs", "Spilled SGPRs", "Spill count"}},
    {"scratch", {"Scratch size", "Scratch Memory Size", "Stack Size"}},
    {"lds", {"LDS size", "Workgroup Memory Size", "Shared Memory Size"}},
    {"waves", {"Subgroups per SIMD"}},
    {"instr", {"Instructions", "Instruction Count"}},
    {"bytes", {"Code size", "Binary Size"}},
    {"latency", {"Latency"}},
    {"inv.thr", {"Inverse Throughput"}},
};

std::optional<double> figure(const vulkan::PipelineFacts& facts, const Column& column) {
    std::optional<double> sum;
    for (const vulkan::PipelineStatistic& statistic : facts.statistics)
        if (std::find(column.names.begin(), column.names.end(), statistic.name) != column.names.end())
            sum = sum.value_or(0) + statistic.value;
    return sum;
}

std::string variant_of(vulkan::VariantKey key) {
    constexpr const char* kShort[] = {"f32", "f16", "bf16", "i8", "i16", "i32", "u32"};
    const auto text = [&](int place) { return kShort[static_cast<int>(key.types[place])]; };
    return fmt::format("{}/{}/{}", text(0), text(1), text(2));
}

class Report {
public:
    Report(const std::string& device, bool json) : reporter_(device), json_(json) {
        const vulkan::Caps& caps = reporter_.caps();
        out_["device"] = caps.name;
        out_["driver"] = caps.driver;
        if (json_) return;
        fmt::print("{}, {}\n{:36}{:20}", caps.name, caps.driver, "kernel", "tile");
        for (const Column& column : columns) fmt::print("{:>8}", column.title);
        fmt::print("{:>8}\n", "ms");
    }

    const vulkan::Caps& caps() const { return reporter_.caps(); }

    void kernel(const Row& row) {
        for (const vulkan::ShaderVariant& variant : row.shader->variants) pipeline(row, variant.key);
    }

    // A shader the table does not know is a fault of the table.
    void check_all_listed(const std::vector<Row>& rows) {
        for (const Shader* shader : spv::all) {
            if (std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row.shader == shader; })) continue;
            problem(shader->name, "is missing from the table in bench/pipelines.cpp");
        }
    }

    int finish() {
        if (json_) fmt::print("{}\n", out_.dump(2));
        else fmt::print("{} pipelines, {} that this device cannot run, {} problems\n", compiled_, refused_, problems_);
        return problems_ ? 1 : 0;
    }

private:
    void pipeline(const Row& row, vulkan::VariantKey key) {
        const std::string label = fmt::format("{} {}", row.shader->name, variant_of(key));
        const std::string tile = fmt::format("{}", fmt::join(row.constants, ","));
        nlohmann::json entry{{"kernel", row.shader->name}, {"variant", variant_of(key)}, {"constants", row.constants}};
        try {
            const vulkan::PipelineFacts facts = reporter_.compile(*row.shader, key, row.constants);
            ++compiled_;
            entry["compile_ms"] = facts.compile_ms;
            entry["subgroup_size"] = facts.subgroup_size;
            for (const vulkan::PipelineStatistic& statistic : facts.statistics)
                entry["statistics"][statistic.name] = statistic.value;
            if (!json_) print(label, tile, facts);
            if (figure(facts, columns[2]).value_or(0) > 0) problem(label, "spills registers");
        } catch (const Error& error) {
            entry["refused"] = error.what();
            if (!json_) fmt::print("{:36}{:20}  {}\n", label, tile, error.what());
            if (error.status() == Status::unsupported) ++refused_;
            else problem(label, error.what());
        }
        out_["pipelines"].push_back(std::move(entry));
    }

    static void print(const std::string& label, const std::string& tile, const vulkan::PipelineFacts& facts) {
        fmt::print("{:36}{:20}", label, tile);
        for (const Column& column : columns) {
            const std::optional<double> value = figure(facts, column);
            fmt::print("{:>8}", value ? fmt::format("{:.0f}", *value) : "-");
        }
        fmt::print("{:>8.1f}\n", facts.compile_ms);
    }

    void problem(std::string_view what, std::string_view why) {
        ++problems_;
        out_["problems"].push_back(fmt::format("{}: {}", what, why));
        fmt::print(stderr, "{}: {}\n", what, why);
    }

    vulkan::PipelineReporter reporter_;
    bool json_;
    nlohmann::json out_;
    int compiled_ = 0, refused_ = 0, problems_ = 0;
};

}  // namespace

int main(int argc, char** argv) try {
    CLI::App app("Compiles every kernel for a device and prints registers, spills, memory and occupancy.");
    std::string device;
    bool json = false;
    app.add_option("--device", device, "index, UUID or part of a name; default: DRAGOMAN_DEVICE, else the best");
    app.add_flag("--json", json, "everything the driver reports, as JSON");
    CLI11_PARSE(app, argc, argv);

    Report report(device, json);
    const std::vector<Row> rows = table(report.caps());
    for (const Row& row : rows) report.kernel(row);
    report.check_all_listed(rows);
    return report.finish();
} catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
}
