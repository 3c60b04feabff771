// SPDX-License-Identifier: Apache-2.0
// Compiles every kernel for one device and prints what its compiler reports: registers, spills, scratch, shared
// memory, occupancy. Nothing runs, so it also serves RADV's null devices, which only compile:
//   NODEVICE_SELECT=1 RADV_FORCE_FAMILY=navi21 VK_ICD_FILENAMES=.../radeon_icd.x86_64.json bench_pipelines
// --kernel NAME --tile 7,128,... tries a tile that the table below does not have.
// Exits with 1 where a kernel that the device can run does not compile, spills, or is missing from the table below.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>

#include "arguments/arguments.h"
#include "base/error.h"
#include "decode/beam_step_tile.h"
#include "ops/cpu_kernels.h"
#include "ops/matmul_tiles.h"
#include "pipeline_figures.h"
#include "shared/elementwise.h"
#include "shared/matmul.h"
#include "spv.h"
#include "vulkan/pipeline_report.h"

namespace {

using namespace dragoman;
using vulkan::Shader;
using bench::Column;
using bench::columns;
using bench::figure;
using bench::variant_of;

enum class Variants { all, float_weights, int8_weights, records };

struct Row {
    std::string shader;
    std::vector<uint32_t> constants;  // by constant_id: the fields of the kernel's tile in lib/ops/kernels.h
    Variants variants = Variants::all;  // those that take this tile
    std::optional<DType> weights{};     // only for variants with this type of weights
    std::optional<DType> inputs{};      // only for variants with this first type
};

// No GPU is given these.
constexpr std::string_view kCpuKernels[] = {"matmul_texel",
                                            "matmul_int8_texel",
                                            "encoder_attention_subgroup",
                                            "step_self_attention_subgroup",
                                            "step_cross_attention_subgroup",
                                            "encoder_attention_texel",
                                            "step_self_attention_texel",
                                            "step_cross_attention_texel"};

template <class Tile>
std::vector<uint32_t> words_of(const Tile& tile) {
    const auto* words = reinterpret_cast<const uint32_t*>(&tile);
    return {words, words + sizeof tile / sizeof *words};
}

// A feed-forward's products and an output layer; what follows a norm begins with it.
void split_rows(const vulkan::Caps& caps, uint32_t activation, DType weights, std::vector<Row>& rows) {
    struct Product {
        uint32_t n, k, norm;
    };
    for (const auto& [n, k, norm] : {Product{512, 2048, 0},
                                     {2048, 512, shared::kNormCentred},
                                     {32000, 512, 0},
                                     {32000, 512, shared::kNormCentred}})
        for (const uint32_t r : {1u, 4u, 8u})
            for (const bool records : {false, true}) {
                for (auto tile : ops::split_tiles(caps, {.dtype = weights, .n = n, .k = k}, r, records)) {
                    tile.activation = activation;
                    tile.x_quads = 1;
                    tile.records = records;
                    tile.norm = norm;
                    if (norm && !ops::fits_norm(caps, tile, weights)) continue;
                    rows.push_back({"matmul_split", words_of(tile), Variants::all, weights});
                    if (activation != shared::kActivationNone) break;
                }
            }
}

// The tiles that lib/ops picks for such a device and a Transformer of base size; kernels that it would not pick
// there are listed as well. Looked up by name, so that a tile with a new field is reported and the build goes on.
std::vector<Row> table(const vulkan::Caps& caps) {
    constexpr uint32_t kNone = shared::kActivationNone, kGelu = shared::kActivationGelu, kQuads = 1;
    const bool cpu = caps.is_cpu();
    std::vector<Row> rows;
    const auto add_matmuls = [&](uint32_t activation, uint32_t records, Variants variants) {
        for (const uint32_t r : {1u, 8u, 256u})
            for (const auto& tile : ops::tiled_tiles(caps, r))
                rows.push_back({"matmul_tiled",
                                {activation, tile.invocations, tile.tile_rows, tile.tile_k, tile.rows, kQuads, records},
                                variants});
        for (auto tile : ops::coopmat_tiles(caps, records != 0)) {
            tile.activation = activation;
            tile.records = records;
            rows.push_back({"matmul_coopmat", words_of(tile), variants});
        }
    };
    for (const uint32_t activation : {kNone, kGelu}) {
        add_matmuls(activation, 0, Variants::float_weights);
        for (const uint32_t r : {1u, 8u, 256u})
            for (const auto& tile : ops::int8_tiles(caps, r))
                rows.push_back({"matmul_tiled",
                                {activation, tile.invocations, tile.tile_rows, tile.tile_k, tile.rows, kQuads, 0},
                                Variants::int8_weights});
        const uint32_t lanes = std::min(caps.subgroup_size, 8u);
        for (const uint32_t r : {2u, 16u})
            for (const char* name : {"matmul_texel", "matmul_int8_texel"})
                rows.push_back({name, {activation, lanes, r, shared::kMatmulBias}});
        rows.push_back({"matmul_int8_texel", {activation, lanes, 1, shared::kMatmulBias}});
        for (const DType w : {DType::f32, DType::f16, DType::q8, DType::q4}) split_rows(caps, activation, w, rows);
    }
    // Only the output layer has records: f32 outputs without activation.
    add_matmuls(kNone, 1, Variants::records);
    for (const uint32_t head_dim : {64u, 128u}) {
        const uint32_t most = head_dim <= 64 ? 8 : 4;
        for (const DType type : {DType::f32, DType::f16}) {
            const uint32_t head_lanes = head_dim * size_bytes(type) / 16;
            for (const auto& [queries, loads] : {std::pair{8u, 4u}, {4u, 2u}, {2u, 2u}}) {
                const uint32_t lanes = std::min(32 * head_lanes / loads, 256u);
                const auto add = [&](const char* name, uint32_t shared) {
                    rows.push_back({name, {lanes, head_dim, head_lanes, loads, shared}, Variants::all, {}, type});
                };
                add("encoder_attention", std::min(queries, most));
                add("step_cross_attention", std::min(queries, most));
                if (queries != 2) add("step_self_attention", 1);
            }
        }
        const auto shape = ops::best_coopmat_shape(caps).value_or(vulkan::CoopMatrixShape{16, 16, 16});
        const uint32_t keys = std::max({head_dim <= 64 ? 32u : 16u, shape.n, shape.k});
        rows.push_back({"encoder_attention_coopmat",
                        {std::max(caps.coop_subgroup_size, 8u), head_dim, shape.m, shape.n, shape.k, keys}});
        for (const std::string kind : {"subgroup", "texel"}) {
            rows.push_back({"encoder_attention_" + kind, {caps.subgroup_size, head_dim, most}});
            rows.push_back({"step_self_attention_" + kind, {caps.subgroup_size, head_dim, 1}});
            rows.push_back({"step_cross_attention_" + kind, {caps.subgroup_size, head_dim, most}});
        }
    }
    const uint32_t wide = cpu ? 8 : 128;
    rows.push_back({"layer_norm", {wide, cpu ? 8u : 64u, cpu ? 16u : 2u, kQuads, ops::runs_in_step(caps, wide)}});
    rows.push_back({"softmax", {wide}});
    rows.push_back({"sample", {wide}});
    rows.push_back({"row_maxima", {cpu ? 8u : 64u}});
    rows.push_back({"topk_partial", {cpu ? 8u : 64u, kQuads}});
    rows.push_back({"spread_columns", {cpu ? 8u : 64u}});
    for (const uint32_t list : {1u, cpu ? 8u : 4u})
        rows.push_back({"topk_merge", {wide, list, ops::runs_in_step(caps, wide)}});
    rows.push_back({"activate", {64, kGelu}});
    rows.push_back({"blend", {64}});
    for (const char* name :
         {"average_step", "gru_step", "keep_cell", "pool", "load_cell_state", "load_state", "ssru_step"})
        rows.push_back({name, {64}});
    for (const uint32_t gates : {3u, 4u}) rows.push_back({"gated_cell", {cpu ? 8u : 256u, gates}});
    rows.push_back({"additive_attention", {cpu ? 8u : 256u, cpu ? 1u : 32u}});
    rows.push_back({"gather_rows", {64}});
    rows.push_back({"embed", {64}});
    for (const char* name : {"group_arguments", "gather_outputs", "add_log_probs", "certainty"})
        rows.push_back({name, {}});
    const auto [lanes, in_step] = decode::lanes_tile(caps);
    for (const char* name : {"compact", "process_logits"}) rows.push_back({name, {lanes, in_step}});
    for (const std::string name : {"beam_step", "beam_step_huggingface", "beam_step_marian"}) {
        std::set<std::vector<uint32_t>> tiles, with_terms;
        for (const auto merges : {decode::Merges::nothing, decode::Merges::lists_and_sums}) {
            for (const uint32_t beam : {1u, 4u})
                tiles.insert(words_of(decode::beam_step_tile(caps, beam, beam > 1 ? 2 * beam : 1, merges)));
            with_terms.insert(words_of(decode::beam_step_terms_tile(caps, 4, 9, merges)));
        }
        for (const auto& tile : tiles) rows.push_back({name, tile});
        for (const auto& tile : with_terms) rows.push_back({name + "_terms", tile});
    }
    return rows;
}

class Report {
public:
    Report(const std::string& device, bool json, std::string types)
        : reporter_(device), json_(json), types_(std::move(types)) {
        const vulkan::Caps& caps = reporter_.caps();
        out_["device"] = caps.name;
        out_["driver"] = caps.driver;
        if (json_) return;
        fmt::print("{}, {}\n{:42}{:20}", caps.name, caps.driver, "kernel", "tile");
        for (const Column& column : columns) fmt::print("{:>8}", column.title);
        fmt::print("{:>8}\n", "ms");
    }

    const vulkan::Caps& caps() const { return reporter_.caps(); }

    // Every shader with every tile that the table has for it; a shader without any is reported.
    void shader(const Shader& shader, const std::vector<Row>& rows) {
        bool listed = false;
        for (const Row& row : rows) {
            if (row.shader != shader.name) continue;
            listed = true;
            const bool asked = rows.size() == 1;  // by --tile
            if (!asked && !caps().is_cpu() && std::ranges::count(kCpuKernels, shader.name)) break;
            if (row.constants.size() != shader.spec_constants)
                problem(shader.name, fmt::format("the table has {} constants for it, it has {}", row.constants.size(),
                                                 shader.spec_constants));
            else
                for (const auto& variant : shader.variants)
                    if (wants(variant.key) && takes(row, variant.key)) pipeline(shader, variant.key, row.constants);
        }
        if (!listed) problem(shader.name, "is missing from the table in bench/pipelines.cpp");
    }

    int finish() {
        if (json_) fmt::print("{}\n", out_.dump(2));
        else fmt::print("{} pipelines, {} that this device cannot run, {} problems\n", compiled_, refused_, problems_);
        return problems_ ? 1 : 0;
    }

private:
    bool wants(vulkan::VariantKey key) const { return types_.empty() || variant_of(key) == types_; }
    static bool takes(const Row& row, vulkan::VariantKey key) {
        return has(row.variants, key) && (!row.weights || key.types[1] == *row.weights) &&
               (!row.inputs || key.types[0] == *row.inputs);
    }
    static bool has(Variants variants, vulkan::VariantKey key) {
        const bool int8 = key.types[1] == DType::i8 || key.types[1] == DType::i32;
        switch (variants) {
            case Variants::float_weights: return !int8;
            case Variants::int8_weights: return int8;
            case Variants::records: return key.types[2] == DType::f32 && !int8;
            case Variants::all: break;
        }
        return true;
    }

    void pipeline(const Shader& shader, vulkan::VariantKey key, const std::vector<uint32_t>& constants) {
        const std::string label = fmt::format("{} {}", shader.name, variant_of(key));
        const std::string tile = fmt::format("{}", fmt::join(constants, ","));
        nlohmann::json entry{{"kernel", shader.name}, {"variant", variant_of(key)}, {"constants", constants}};
        try {
            const vulkan::PipelineFacts facts = reporter_.compile(shader, key, constants);
            ++compiled_;
            entry["compile_ms"] = facts.compile_ms;
            entry["subgroup_size"] = facts.subgroup_size;
            for (const vulkan::PipelineStatistic& statistic : facts.statistics)
                entry["statistics"][statistic.name] = statistic.value;
            if (!json_) print(label, tile, facts);
            if (bench::spills(facts) > 0) problem(label, "spills registers");
        } catch (const Error& error) {
            entry["refused"] = error.what();
            if (!json_) fmt::print("{:42}{:20}  {}\n", label, tile, error.what());
            if (error.status() == Status::unsupported) ++refused_;
            else problem(label, error.what());
        }
        out_["pipelines"].push_back(std::move(entry));
    }

    static void print(const std::string& label, const std::string& tile, const vulkan::PipelineFacts& facts) {
        fmt::print("{:42}{:20}", label, tile);
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
    const std::string types_;
    nlohmann::json out_;
    int compiled_ = 0, refused_ = 0, problems_ = 0;
};

}  // namespace

int main(int argc, char** argv) try {
    bench::Arguments arguments(
        "Compiles every kernel for a device and prints registers, spills, memory and occupancy.");
    std::string device;
    bool json = false;
    arguments.option("--device", device, "index, UUID or part of a name; default: DRAGOMAN_DEVICE, else the best");
    std::string only;
    std::vector<uint32_t> tile;
    auto kernel = arguments.option("--kernel", only, "compile only this kernel");
    arguments.option("--tile", tile, "these constants in place of the table's").by_commas().needs(kernel);
    std::string types;
    arguments.option("--types", types, "only the variant of these, such as f16/f16/f32").needs(kernel);
    arguments.flag("--json", json, "everything the driver reports, as JSON");
    if (const auto ended = arguments.parse(argc, argv)) return *ended;

    Report report(device, json, types);
    std::vector<Row> rows = table(report.caps());
    if (!tile.empty()) rows = {{only, tile}};
    for (const Shader* shader : spv::all)
        if (only.empty() || shader->name == only) report.shader(*shader, rows);
    return report.finish();
} catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
}
