// SPDX-License-Identifier: Apache-2.0
#include "ops/matmul.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <type_traits>

#include "base/error.h"
#include "ops/cpu_kernels.h"
#include "ops/kernels.h"
#include "ops/matmul_tiles.h"
#include "ops/norm.h"
#include "ops/topk.h"
#include "ops/tune.h"
#include "ops/work.h"
#include "vulkan/context.h"
#include "vulkan/spills.h"

namespace dragoman::ops {
namespace {

static_assert(uint32_t(Activation::relu) == shared::kActivationRelu);
static_assert(uint32_t(Activation::gelu_tanh) == shared::kActivationGeluTanh);
static_assert(uint32_t(Activation::swish) == shared::kActivationSwish);
static_assert(uint32_t(Activation::gelu) == shared::kActivationGelu);
static_assert(uint32_t(Activation::gelu_sigmoid) == shared::kActivationGeluSigmoid);
static_assert(uint32_t(Activation::tanh) == shared::kActivationTanh);
static_assert(uint32_t(Activation::sigmoid) == shared::kActivationSigmoid);
static_assert(uint32_t(Activation::none) == shared::kActivationNone);

uint32_t norm_kind(const InputNorm& norm) {
    return !norm ? 0 : norm.beta ? shared::kNormCentred : shared::kNormScaled;
}

uint32_t matmul_flags(const MatmulArgs& args) {
    return (args.bias ? shared::kMatmulBias : 0) | (args.gate ? shared::kMatmulGate : 0) |
           (args.residual ? shared::kMatmulResidual : 0) | (args.records ? shared::kMatmulRecords : 0) |
           (args.records && args.y_unused ? shared::kMatmulNoStore : 0);
}

// The tile in use, with the constants that follow from the arguments.
template <class Tile>
Tile complete(Recorder& rec, const MatmulArgs& args, MatmulKernel kernel, const std::vector<Tile>& tiles,
              uint32_t choice) {
    DRAGOMAN_ASSERT(!tiles.empty());
    if (choice == kUsualTile) choice = measured_tile(rec.context(), args, kernel);
    Tile tile = tiles[choice < tiles.size() ? choice : default_tile(tiles, args.rows.capacity, args.w.n)];
    tile.activation = uint32_t(args.activation);
    // Loads of `split` must end where a row does.
    if constexpr (requires { tile.x_quads; })
        tile.x_quads = args.x.stride % 4 == 0 && (kernel == MatmulKernel::split || args.w.k % 4 == 0);
    tile.records = bool(args.records);
    if constexpr (requires { tile.norm; }) tile.norm = norm_kind(args.norm);
    return tile;
}

// With more rows the norm keeps a device busy for longer than a dispatch with its barrier takes.
constexpr uint32_t kMostNormalised = 256;

// A record covers the outputs of one workgroup.
bool writes_records(const vulkan::Caps& caps, const MatmulArgs& args, MatmulKernel kernel) {
    if (kernel == MatmulKernel::split) return !split_tiles(caps, args.w, args.rows.capacity, true).empty();
    return kernel != MatmulKernel::texel || cpu::matmul_writes_records(caps);
}

// Calls f(kernel, tile, rows of a workgroup, groups of columns) with what this product runs as.
template <class F>
auto with_kernel(Recorder& rec, const MatmulArgs& args, MatmulKernel kernel, uint32_t choice, F&& f) {
    const vulkan::Caps& caps = rec.caps();
    const uint32_t panels = (args.w.n + kPanel - 1) / kPanel;
    switch (kernel) {
        case MatmulKernel::texel: {
            DRAGOMAN_ASSERT(cpu::runs_matmul(caps, args.x, args.w));
            const auto tile = cpu::matmul_tile(caps, args.activation, args.rows.capacity, matmul_flags(args));
            return f(kernels::matmul_texel, tile, tile.rows, cpu::column_groups(tile, args.w));
        }
        case MatmulKernel::coopmat: {
            const auto tile = complete(rec, args, kernel, coopmat_tiles(caps, bool(args.records)), choice);
            const uint32_t columns = coopmat_columns(tile);
            return f(kernels::matmul_coopmat, tile, coopmat_rows(tile), (args.w.n + columns - 1) / columns);
        }
        case MatmulKernel::coopmat2: {
            const auto tile = complete(rec, args, kernel, coopmat2_tiles(caps, bool(args.records)), choice);
            const uint32_t columns = coopmat_columns(tile);
            return f(kernels::matmul_coopmat2, tile, tile.tile_rows, (args.w.n + columns - 1) / columns);
        }
        case MatmulKernel::split: {
            const auto tiles = split_tiles(caps, args.w, args.rows.capacity, bool(args.records));
            const auto tile = complete(rec, args, kernel, tiles, choice);
            return f(kernels::matmul_split, tile, tile.rows, (args.w.n + tile.columns - 1) / tile.columns);
        }
        case MatmulKernel::tiled: break;
    }
    const auto tile = complete(rec, args, kernel, tiled_tiles(caps, args.rows.capacity), choice);
    return f(kernels::matmul_tiled, tile, tile.tile_rows, panels);
}

vulkan::VariantKey variant_of(const MatmulArgs& args) { return {args.x.dtype, args.w.dtype, args.y.dtype}; }

// The least that any tile of the kernel spills.
uint32_t least_spilled(Recorder& rec, const MatmulArgs& args, MatmulKernel kernel) {
    uint32_t least = vulkan::Spills::kUncompiled;
    for (uint32_t i = 0; i < matmul_tile_count(rec.caps(), args, kernel); ++i)
        if (trusts_matmul(rec, args, kernel, i)) least = std::min(least, spilled_by_matmul(rec, args, kernel, i));
    return least;
}

// The substitutes for a kernel that gives wrong results or spills, best first.
std::vector<MatmulKernel> others(const vulkan::Context& context, const MatmulArgs& args, MatmulKernel wrong) {
    const vulkan::Caps& caps = context.caps();
    std::vector<MatmulKernel> kernels{MatmulKernel::tiled};
    if (!caps.is_cpu()) {
        const bool halves = args.x.dtype == DType::f16 && args.w.dtype == DType::f16;
        const bool few = args.rows.capacity <= kFewRows;
        if (halves && has_coopmat(caps) && is_wide(args)) kernels.insert(kernels.begin(), MatmulKernel::coopmat);
        if (!split_tiles(caps, args.w, args.rows.capacity, bool(args.records)).empty())
            kernels.insert(few ? kernels.begin() : kernels.end(), MatmulKernel::split);
    }
    std::erase(kernels, wrong);
    return kernels;
}

// Records the norm; returns the arguments of the remaining product.
MatmulArgs normalised(Recorder& rec, const MatmulArgs& args) {
    const InputNorm& norm = args.norm;
    layer_norm(rec, {.x = args.x,
                     .gamma = norm.gamma,
                     .beta = norm.beta,
                     .y = norm.y,
                     .epsilon = norm.epsilon,
                     .rows = args.rows});
    MatmulArgs rest = args;
    rest.x = norm.y;
    rest.norm = {};
    return rest;
}

MatmulArgs without_records(const MatmulArgs& args) {
    MatmulArgs plain = args;
    plain.records = {};
    plain.y_unused = false;
    return plain;
}

// coopmat reads f16 values in eights, and takes gamma and beta in the places of gate and residual. The output layer has
// so many workgroups that a norm of its own is cheaper.
bool coopmat_normalises(const MatmulArgs& args) {
    const auto wide = [](const BufferView& view) { return !view || view.offset % 16 == 0; };
    return args.x.dtype == DType::f16 && args.w.k % 8 == 0 && !args.gate && !args.residual && !args.records &&
           has_few_outputs(args.w) && args.norm.y.stride % 8 == 0 && wide(args.norm.y.data) && wide(args.norm.gamma) &&
           wide(args.norm.beta);
}

// Some kernels read beyond the last of the weights.
void record_all_columns(Recorder& rec, const MatmulArgs& args) {
    if (args.column + args.w.n == args.y.cols) record_columns(rec, args.y, args.records, args.rows);
}

void check_rows(const Tensor& tensor, const Extent& rows, uint32_t cols) {
    DRAGOMAN_ASSERT(tensor.rows >= rows.capacity && tensor.cols == cols && tensor.stride >= cols);
}

BufferView from(const BufferView& view, uint64_t skipped) {
    return {*view.buffer, view.offset + skipped, view.size_bytes - skipped};
}

// The part of a tensor that begins at `begin`, where only some columns are written or read.
Tensor columns(Tensor tensor, uint32_t begin, uint32_t n) {
    if (!tensor || (begin == 0 && n == tensor.cols)) return tensor;
    DRAGOMAN_ASSERT(begin % kPartColumns == 0 && begin + n <= tensor.cols);
    tensor.data = from(tensor.data, uint64_t(begin) * size_bytes(tensor.dtype));
    tensor.cols = n;
    return tensor;
}

}  // namespace

bool is_wide(const MatmulArgs& args) {
    const auto wide = [](const Tensor& tensor, uint32_t elements) {
        return !tensor || (tensor.stride % elements == 0 && tensor.data.offset % 16 == 0);
    };
    const uint32_t elements = 16 / size_bytes(args.y.dtype);
    return wide(args.x, 8) && wide(args.gate, elements) && wide(args.residual, elements) && wide(args.y, elements);
}

uint32_t few_rows(const vulkan::Caps& caps) { return device_table(caps).few_rows; }

bool can_split(const vulkan::Context& context, const MatmulArgs& args) {
    return !context.caps().is_cpu() && context.can_run(*kernels::matmul_split.shader, variant_of(args)) &&
           !split_tiles(context.caps(), args.w, args.rows.capacity, false).empty();
}

std::vector<MatmulKernel> kernels_for_many_rows(const vulkan::Context& context, const MatmulArgs& args) {
    const vulkan::Caps& caps = context.caps();
    const bool matrices = args.x.dtype == DType::f16 && args.w.dtype == DType::f16 && is_wide(args);
    const auto runs = [&](MatmulKernel kernel) { return context.can_run(matmul_shader(kernel), variant_of(args)); };
    std::vector<MatmulKernel> kernels{MatmulKernel::tiled};
    if (matrices && has_coopmat2(caps) && runs(MatmulKernel::coopmat2))
        kernels.insert(kernels.begin(), MatmulKernel::coopmat2);
    if (matrices && has_coopmat(caps) && runs(MatmulKernel::coopmat))
        kernels.insert(kernels.begin(), MatmulKernel::coopmat);
    return kernels;
}

uint32_t usual_few_rows(const vulkan::Context& context, const MatmulArgs& args) {
    const bool matrices = usual_for_many_rows(kernels_for_many_rows(context, args)) != MatmulKernel::tiled;
    return has_few_outputs(args.w) && !matrices ? few_rows(context.caps()) : kFewRows;
}

MatmulKernel pick_matmul(const vulkan::Context& context, const MatmulArgs& args) {
    const vulkan::Caps& caps = context.caps();
    if (caps.is_cpu()) return cpu::runs_matmul(caps, args.x, args.w) ? MatmulKernel::texel : MatmulKernel::tiled;
    const uint32_t rows = args.rows.capacity;
    const bool few = rows <= kFewRows || rows <= measured_few_rows(context, args);
    if (few && can_split(context, args)) return MatmulKernel::split;
    if (rows <= kFewRows) return MatmulKernel::tiled;
    const std::vector<MatmulKernel> kernels = kernels_for_many_rows(context, args);
    const auto measured = measured_for_many_rows(context, args);
    return measured && std::ranges::count(kernels, *measured) ? *measured : usual_for_many_rows(kernels);
}

const vulkan::Shader& matmul_shader(MatmulKernel kernel) {
    switch (kernel) {
        case MatmulKernel::texel: return *kernels::matmul_texel.shader;
        case MatmulKernel::coopmat: return *kernels::matmul_coopmat.shader;
        case MatmulKernel::coopmat2: return *kernels::matmul_coopmat2.shader;
        case MatmulKernel::split: return *kernels::matmul_split.shader;
        case MatmulKernel::tiled: break;
    }
    return *kernels::matmul_tiled.shader;
}

uint32_t matmul_tile_count(const vulkan::Caps& caps, const MatmulArgs& args, MatmulKernel kernel) {
    switch (kernel) {
        case MatmulKernel::tiled: return uint32_t(tiled_tiles(caps, args.rows.capacity).size());
        case MatmulKernel::coopmat: return uint32_t(coopmat_tiles(caps, bool(args.records)).size());
        case MatmulKernel::coopmat2: return uint32_t(coopmat2_tiles(caps, bool(args.records)).size());
        case MatmulKernel::split:
            return uint32_t(split_tiles(caps, args.w, args.rows.capacity, bool(args.records)).size());
        case MatmulKernel::texel: break;
    }
    return 1;
}

bool normalises_inputs(const vulkan::Caps& caps, const MatmulArgs& args, MatmulKernel kernel) {
    // With more workgroups than a large device runs at once, the norm would be repeated one after the other, where it
    // is a small part of the product anyway.
    constexpr uint32_t kMostPanels = 1024;
    if (kernel == MatmulKernel::coopmat) return args.rows.capacity <= kMostNormalised && coopmat_normalises(args);
    if (kernel != MatmulKernel::split || args.w.n > kMostPanels * kPanel) return false;
    // All tiles must fit, since any may be measured to be the best.
    return std::ranges::all_of(split_tiles(caps, args.w, args.rows.capacity, bool(args.records)), [&](auto tile) {
        tile.records = bool(args.records);
        tile.norm = norm_kind(args.norm);
        return fits_norm(caps, tile, args.w.dtype);
    });
}

bool trusts_matmul(Recorder& rec, const MatmulArgs& args, MatmulKernel kernel, uint32_t tile) {
    return with_kernel(rec, args, kernel, tile, [&](const auto& table_row, const auto& constants, uint32_t, uint32_t) {
        return rec.trusts(table_row, variant_of(args), constants);
    });
}

uint32_t spilled_by_matmul(Recorder& rec, const MatmulArgs& args, MatmulKernel kernel, uint32_t tile) {
    return with_kernel(rec, args, kernel, tile, [&](const auto& table_row, const auto& constants, uint32_t, uint32_t) {
        return rec.spilled(table_row, variant_of(args), constants);
    });
}

std::optional<uint32_t> sound_tile(Recorder& rec, const MatmulArgs& args, MatmulKernel kernel, uint32_t most) {
    const auto sound = [&](uint32_t choice) {
        return spilled_by_matmul(rec, args, kernel, choice) <= most && trusts_matmul(rec, args, kernel, choice);
    };
    if (sound(kUsualTile)) return kUsualTile;
    for (uint32_t i = 0; i < matmul_tile_count(rec.caps(), args, kernel); ++i)
        if (sound(i)) return i;
    return std::nullopt;
}

// A kernel that gives wrong results on this device or spills there gives way: to another tile, then to one that does
// less at a time, then to another kernel.
void matmul(Recorder& rec, const MatmulArgs& args) {
    const MatmulKernel picked = pick_matmul(rec.context(), args);
    if (args.norm && !normalises_inputs(rec.caps(), args, picked)) return matmul(rec, normalised(rec, args));
    if (args.records && !writes_records(rec.caps(), args, picked)) {
        matmul(rec, without_records(args));
        return record_all_columns(rec, args);
    }
    if (const auto tile = sound_tile(rec, args, picked)) return matmul(rec, args, picked, *tile);
    if (args.norm) return matmul(rec, normalised(rec, args));
    if (args.records && args.w.n == args.y.cols) {
        matmul(rec, without_records(args));
        return record_all_columns(rec, args);
    }
    std::vector<MatmulKernel> kernels = others(rec.context(), args, picked);
    for (const MatmulKernel kernel : kernels)
        if (const auto tile = sound_tile(rec, args, kernel)) return matmul(rec, args, kernel, *tile);
    // All kernels with right results spill.
    kernels.insert(kernels.begin(), picked);
    const auto spilled = [&](MatmulKernel kernel) { return least_spilled(rec, args, kernel); };
    const MatmulKernel least = *std::ranges::min_element(kernels, {}, spilled);
    if (const auto tile = sound_tile(rec, args, least, spilled(least))) return matmul(rec, args, least, *tile);
    matmul(rec, args, picked);  // no kernel is usable: the recorder names the picked one
}

void matmul(Recorder& rec, const MatmulArgs& args, MatmulKernel kernel, uint32_t choice) {
    const auto& [x, w, column, all_bias, activation, all_gate, all_residual, all_y, scale, records, y_unused, norm,
                 rows] = args;
    if (norm && !normalises_inputs(rec.caps(), args, kernel)) return matmul(rec, normalised(rec, args), kernel, choice);
    const Tensor gate = columns(all_gate, column, w.n), residual = columns(all_residual, column, w.n),
                 y = columns(all_y, column, w.n);
    const BufferView bias = all_bias && column > 0 ? from(all_bias, column * sizeof(float)) : all_bias;
    check_rows(x, rows, w.k);
    check_rows(y, rows, w.n);
    DRAGOMAN_ASSERT((kernel != MatmulKernel::coopmat && kernel != MatmulKernel::coopmat2) || is_wide(args));
    if (gate) check_rows(gate, rows, w.n);
    if (residual) check_rows(residual, rows, w.n);
    DRAGOMAN_ASSERT(!gate || gate.dtype == y.dtype);
    DRAGOMAN_ASSERT(!residual || residual.dtype == y.dtype);
    DRAGOMAN_ASSERT(!records || (y.dtype == DType::f32 && !gate && !residual &&
                                 records.size_bytes >= column_records_bytes(rows.capacity, all_y.cols)));
    if (norm) {
        check_rows(norm.y, rows, w.k);
        DRAGOMAN_ASSERT(norm.y.dtype == x.dtype && !same_place(x, y));
        for (const Tensor& other : {x, y, gate, residual}) DRAGOMAN_ASSERT(!same_place(norm.y, other));
    }
    if (records && !writes_records(rec.caps(), args, kernel)) {
        matmul(rec, without_records(args), kernel, choice);
        return record_all_columns(rec, args);
    }
    count_work(rec, args);

    const shared::MatmulPush push{.n = w.n,
                                  .k = w.k,
                                  .x_stride = x.stride,
                                  .gate_stride = gate.stride,
                                  .residual_stride = residual.stride,
                                  .y_stride = y.stride,
                                  .flags = matmul_flags(args),
                                  .scale = scale,
                                  .record_tile = column / kPanel,
                                  .record_tiles = (all_y.cols + kPanel - 1) / kPanel,
                                  .norm_y_stride = norm.y.stride,
                                  .epsilon = norm.epsilon,
                                  .one = 1.0f,
                                  .input_scale = 0.0f,
                                  .group_rows = 0,
                                  .column = 0};
    // Unused buffers are bound to the count, or to y; the flags keep the kernels from touching them.
    const BufferView &unused = rows.count, gate_data = gate ? gate.data : unused,
                     residual_data = residual ? residual.data : unused;
    const auto run = [&](const auto& table_row, const auto& tile, uint32_t rows_per_group, uint32_t column_groups,
                         const BufferView& fourth, const BufferView& fifth, const auto&... more) {
        rec.dispatch(table_row, variant_of(args),
                     {rows.count, x.data, w.data, bias ? bias : unused, fourth, fifth, y.data,
                      records ? records : y.data, more...},
                     push, tile, groups(rows, rows_per_group, column_groups));
    };
    with_kernel(rec, args, kernel, choice, [&](const auto& table_row, const auto& tile, auto... shape) {
        using Tile = std::decay_t<decltype(tile)>;
        const BufferView gamma = norm ? norm.gamma : unused, beta = norm.beta ? norm.beta : unused,
                         normed = norm ? norm.y.data : y.data;
        const auto plain = [&](const auto&... more) { run(table_row, tile, shape..., gate_data, residual_data, more...); };
        if constexpr (std::is_same_v<Tile, kernels::MatmulSplitTile>)
            plain(gamma, beta, normed);
        else if constexpr (std::is_same_v<Tile, kernels::MatmulCoopmatTile>)
            run(table_row, tile, shape..., norm ? gamma : gate_data, norm ? beta : residual_data, y.data, normed);
        else if constexpr (std::is_same_v<Tile, kernels::MatmulTexelTile>)
            plain(y.data);
        else if constexpr (std::is_same_v<Tile, kernels::MatmulTiledTile>)
            plain(unused, unused, unused);
        else
            plain();
    });
}

}  // namespace dragoman::ops
