// SPDX-License-Identifier: Apache-2.0
#include "ops/matmul.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "base/error.h"
#include "ops/matmul_kernels.h"
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

// The tile in use, with the constants that follow from the arguments.
template <class Row>
auto complete_tile(Recorder& rec, const MatmulArgs& args, Row row, uint32_t choice) {
    const auto tiles = row.tiles(rec.caps(), args);
    DRAGOMAN_ASSERT(!tiles.empty());
    auto tile = tiles.front();
    if constexpr (requires { default_tile(tiles, 0, 0); }) {
        if (choice == kUsualTile) choice = measured_tile(rec.context(), args, row.kind);
        tile = tiles[choice < tiles.size() ? choice : default_tile(tiles, args.rows.capacity, args.w.n)];
    }
    tile.activation = uint32_t(row.activation(args));
    if constexpr (requires { tile.x_quads; }) tile.x_quads = row.x_quads(args);
    if constexpr (requires { tile.records; }) tile.records = bool(args.records);
    if constexpr (requires { tile.norm; }) tile.norm = norm_kind(args.norm);
    return tile;
}

// With more rows the norm keeps a device busy for longer than a dispatch with its barrier takes.
constexpr uint32_t kMaxNormalised = 256;

// A record covers the outputs of one workgroup.
bool writes_records(const vulkan::Caps& caps, const MatmulArgs& args, MatmulKernel kernel) {
    return with_matmul_row(kernel, [&](auto row) { return row.writes_records(caps, args); });
}

// Calls f(row, tile) with what this product runs as.
template <class F>
auto with_tile(Recorder& rec, const MatmulArgs& args, MatmulKernel kernel, uint32_t choice, F&& f) {
    return with_matmul_row(kernel, [&](auto row) { return f(row, complete_tile(rec, args, row, choice)); });
}

// The least that any tile of the kernel spills.
uint32_t least_spilled(Recorder& rec, const MatmulArgs& args, MatmulKernel kernel) {
    uint32_t least = vulkan::Spills::kUncompiled;
    for (uint32_t i = 0; i < matmul_tile_count(rec.caps(), args, kernel); ++i)
        if (matmul_is_usable(rec, args, kernel, i)) least = std::min(least, spilled_by_matmul(rec, args, kernel, i));
    return least;
}

// The substitutes for a kernel that gives wrong results or spills, best first.
std::vector<MatmulKernel> others(const vulkan::Context& context, const MatmulArgs& args, MatmulKernel wrong) {
    std::vector<MatmulKernel> kernels;
    for_each_matmul_row([&](auto row) {
        const bool runs = row.kind == MatmulKernel::tiled || !context.caps().is_cpu();
        if (runs && row.stands_in && row.kind != wrong && row.fits(context, args)) kernels.push_back(row.kind);
    });
    if (args.rows.capacity > kFewRows)
        std::ranges::stable_partition(kernels, [](MatmulKernel kernel) { return kernel != MatmulKernel::split; });
    return kernels;
}

// Records the norm; returns the arguments of the remaining product.
MatmulArgs normalised(Recorder& rec, const MatmulArgs& args) {
    const InputNorm& norm = args.norm;
    layer_norm(
        rec,
        {.x = args.x, .gamma = norm.gamma, .beta = norm.beta, .y = norm.y, .epsilon = norm.epsilon, .rows = args.rows});
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
    return SplitRow::fits(context, without_records(args));
}

std::vector<MatmulKernel> kernels_for_many_rows(const vulkan::Context& context, const MatmulArgs& args) {
    std::vector<MatmulKernel> kernels;
    for_each_matmul_row([&](auto row) {
        if (row.many_rows && row.fits(context, args)) kernels.push_back(row.kind);
    });
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
    return *with_matmul_row(kernel, [](auto row) { return row.kernel.shader; });
}

uint32_t matmul_tile_count(const vulkan::Caps& caps, const MatmulArgs& args, MatmulKernel kernel) {
    return with_matmul_row(kernel, [&](auto row) { return uint32_t(row.tiles(caps, args).size()); });
}

bool normalises_inputs(const vulkan::Caps& caps, const MatmulArgs& args, MatmulKernel kernel) {
    return with_matmul_row(kernel, [&](auto row) { return row.normalises_inputs(caps, args); });
}

bool CoopmatRow::normalises_inputs(const vulkan::Caps&, const MatmulArgs& args) {
    return args.rows.capacity <= kMaxNormalised && coopmat_normalises(args);
}

bool SplitRow::normalises_inputs(const vulkan::Caps& caps, const MatmulArgs& args) {
    // With more workgroups than a large device runs at once, the norm would be repeated one after the other, where it
    // is a small part of the product anyway.
    constexpr uint32_t kMaxPanels = 1024;
    if (args.w.n > kMaxPanels * kPanel) return false;
    // All tiles must fit, since any may be measured to be the best.
    return std::ranges::all_of(tiles(caps, args), [&](auto tile) {
        tile.records = bool(args.records);
        tile.norm = norm_kind(args.norm);
        return fits_norm(caps, tile, args.w.dtype);
    });
}

bool matmul_is_usable(Recorder& rec, const MatmulArgs& args, MatmulKernel kernel, uint32_t choice) {
    return with_tile(rec, args, kernel, choice,
                     [&](auto row, const auto& tile) { return rec.is_usable(row.kernel, variant_of(args), tile); });
}

uint32_t spilled_by_matmul(Recorder& rec, const MatmulArgs& args, MatmulKernel kernel, uint32_t choice) {
    return with_tile(rec, args, kernel, choice,
                     [&](auto row, const auto& tile) { return rec.spilled(row.kernel, variant_of(args), tile); });
}

std::optional<uint32_t> usable_tile(Recorder& rec, const MatmulArgs& args, MatmulKernel kernel, uint32_t most) {
    const auto usable = [&](uint32_t choice) {
        return spilled_by_matmul(rec, args, kernel, choice) <= most && matmul_is_usable(rec, args, kernel, choice);
    };
    if (usable(kUsualTile)) return kUsualTile;
    for (uint32_t i = 0; i < matmul_tile_count(rec.caps(), args, kernel); ++i)
        if (usable(i)) return i;
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
    if (const auto tile = usable_tile(rec, args, picked)) return matmul(rec, args, picked, *tile);
    if (args.norm) return matmul(rec, normalised(rec, args));
    if (args.records && args.w.n == args.y.cols) {
        matmul(rec, without_records(args));
        return record_all_columns(rec, args);
    }
    std::vector<MatmulKernel> kernels = others(rec.context(), args, picked);
    for (const MatmulKernel kernel : kernels)
        if (const auto tile = usable_tile(rec, args, kernel)) return matmul(rec, args, kernel, *tile);
    // All kernels with right results spill.
    kernels.insert(kernels.begin(), picked);
    const auto spilled = [&](MatmulKernel kernel) { return least_spilled(rec, args, kernel); };
    const MatmulKernel least = *std::ranges::min_element(kernels, {}, spilled);
    if (const auto tile = usable_tile(rec, args, least, spilled(least))) return matmul(rec, args, least, *tile);
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
                                  .flags = matmul_flags(args) |
                                           (activation == Activation::relu ? shared::kMatmulRelu : 0),
                                  .scale = scale,
                                  .record_tile = column / kPanel,
                                  .record_tiles = (all_y.cols + kPanel - 1) / kPanel,
                                  .norm_y_stride = norm.y.stride,
                                  .epsilon = norm.epsilon,
                                  .one = 1.0f,
                                  .input_scale = 0.0f,
                                  .group_rows = 0,
                                  .column = 0};
    // The flags keep the kernels from touching unused buffers.
    const BufferView& unused = rows.count;
    const MatmulViews views{.unused = unused,
                            .gate = gate ? gate.data : unused,
                            .residual = residual ? residual.data : unused,
                            .gamma = norm ? norm.gamma : unused,
                            .beta = norm.beta ? norm.beta : unused,
                            .normed = norm ? norm.y.data : y.data,
                            .y = y.data,
                            .norm = bool(norm)};
    with_tile(rec, args, kernel, choice, [&](auto row, const auto& tile) {
        DRAGOMAN_ASSERT(row.can_read(rec.caps(), args));
        const auto [rows_per_group, column_groups] = row.groups(tile, w);
        std::apply(
            [&](const auto&... more) {
                const auto [fourth, fifth] = row.operands(views);
                rec.dispatch(row.kernel, variant_of(args),
                             {rows.count, x.data, w.data, bias ? bias : unused, fourth, fifth, y.data,
                              records ? records : y.data, more...},
                             push, tile, groups(rows, rows_per_group, column_groups));
            },
            row.more(views));
    });
}

}  // namespace dragoman::ops
