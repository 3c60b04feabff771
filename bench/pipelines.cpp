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

// The tiles that lib/ops picks: for GPUs, and for CPUs where they differ.
std::vector<Row> table(bool cpu) {
    using namespace kernels;
    constexpr uint32_t kGelu = shared::kActivationGelu, kNone = shared::kActivationNone;
    std::vector<Row> rows;
    if (cpu) {
        for (const uint32_t r : {2u, 4u, 8u, 16u}) add(rows, matmul_block, {{kNone, 8, r}});
        add(rows, matmul_block, {{kGelu, 8, 16}});
        add(rows, layer_norm, {{8, 8}});
        add(rows, softmax, {{8}});
        add(rows, topk_partial, {{8, 1}, {8, 8}});
        add(rows, topk_merge, {{8, 1}, {8, 8}});
    } else {
        add(rows, matmul_block, {{kNone, 8, 8}});
        add(rows, layer_norm, {{128, 64}, {128, 128}});
        add(rows, softmax, {{128}});
        add(rows, topk_partial, {{128, 1}, {128, 4}});
        add(rows, topk_merge, {{128, 1}, {128, 4}});
    }
    add(rows, matmul_tiled, {{kNone, 128, 64, 32, 8, 1}, {kGelu, 128, 64, 32, 8, 0}});
    for (const uint32_t r : {1u, 2u, 4u}) add(rows, matmul_vec, {{kNone, 64, r, 32, 1}});
    add(rows, matmul_vec, {{kNone, 64, 8, 16, 1}, {kGelu, 64, 8, 16, 0}});
    for (const uint32_t head_dim : {64u, 128u}) {
        const uint32_t lanes = cpu ? 8 : 64;
        add(rows, encoder_attention, {{lanes, 8, cpu ? 4u : 1u, head_dim}});
        add(rows, step_self_attention, {{lanes, cpu ? 2u : 1u, head_dim}});
        add(rows, step_cross_attention, {{lanes, cpu ? 2u : 1u, head_dim}});
    }
    add(rows, activate, {{kGelu, 64}});
    add(rows, gather_rows, {{64}});
    add(rows, embed, {{64}});
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
    const std::vector<Row> rows = table(report.caps().is_cpu());
    for (const Row& row : rows) report.kernel(row);
    report.check_all_listed(rows);
    return report.finish();
} catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
}
