// SPDX-License-Identifier: Apache-2.0
// Matrix products: y = activation(scale * x W^T + bias) * gate + residual.
#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "base/activation.h"
#include "base/half.h"
#include "check/kernel_check.h"
#include "check/reference.h"
#include "ops/kernels.h"
#include "ops/matmul_tiles.h"
#include "ops/topk.h"

namespace dragoman::check {
namespace product_checks {
namespace {

using shared::MatmulPush;
using vulkan::KernelUse;

constexpr uint32_t kOutputs = 101;  // two panels, the second in part
constexpr float kScale = 0.25f;

// Sizes and rounding, which differ from kernel to kernel.
struct Shape {
    uint32_t rows = 0, rows_per_group = 1, column_groups = 1;
    uint32_t n = kOutputs, k = 67;
    uint32_t activation = 7;
    bool x_quads = false;          // rows of x begin at multiples of four elements
    uint32_t flags = shared::kMatmulBias | shared::kMatmulGate | shared::kMatmulResidual;
    bool records = false;
    uint32_t norm = 0;
    bool halves = false;           // x is rounded to f16
    bool wide = false;             // rows of all matrices begin at multiples of eight elements
    bool relu_flag = false;
};

uint32_t x_stride(const Shape& shape) { return shape.wide ? (shape.k + 8) / 8 * 8 : stride_of(shape.k, shape.x_quads); }
uint32_t y_stride(const Shape& shape) { return shape.wide ? (shape.n + 7) / 8 * 8 : shape.n; }

// Inputs and outputs of a product, and the numbers expected of it.
class Product {
public:
    Product(Case& c, const KernelUse& use, const Shape& shape)
        : shape_(shape), x_(c.matrix(shape.rows, shape.k, use.key.types[0], x_stride(shape))),
          w_(c.weight(shape.n, shape.k, use.key.types[1])), y_type_(use.key.types[2]), bias_(c.row(shape.n)),
          gate_(c.matrix(shape.rows, shape.n, y_type_, y_stride(shape))),
          residual_(c.matrix(shape.rows, shape.n, y_type_, y_stride(shape))), gamma_(c.row(shape.k)),
          beta_(c.row(shape.k)), y_(c.blank(shape.rows + 1, shape.n, y_type_, y_stride(shape))),
          normed_y_(c.blank(shape.rows, shape.k, use.key.types[0])), live_(c.count(shape.rows)) {
        tiles_ = (shape.n + ops::kPanel - 1) / ops::kPanel;
        if (shape.records) records_ = c.blank(shape.rows * 3, tiles_, DType::f32);
        if (shape.norm) normalise();
    }

    template <class Kernel, class Tile>
    void dispatch(Case& c, const KernelUse& use, const Kernel& kernel, const Tile& tile) {
        const MatmulPush push{.n = shape_.n,
                              .k = shape_.k,
                              .x_stride = x_.tensor.stride,
                              .gate_stride = gate_.tensor.stride,
                              .residual_stride = residual_.tensor.stride,
                              .y_stride = y_.stride,
                              .flags = flags(),
                              .scale = kScale,
                              .record_tile = 0,
                              .record_tiles = tiles_,
                              .norm_y_stride = shape_.k,
                              .epsilon = 1e-5f,
                              .one = 1.0f,
                              .input_scale = 0.0f,
                              .group_rows = 0,
                              .column = 0};
        const BufferView records = shape_.records ? records_.data : y_.data;
        const vulkan::Groups groups((shape_.rows + shape_.rows_per_group - 1) / shape_.rows_per_group,
                                    shape_.column_groups);
        const BufferView normed = shape_.norm ? normed_y_.data : y_.data;
        // The coopmat kernel takes gamma and beta elsewhere.
        constexpr bool kCoopmat = std::is_same_v<Tile, kernels::MatmulCoopmatTile>;
        const bool swapped = kCoopmat && shape_.norm;
        const auto run = [&](const auto&... more) {
            c.rec.dispatch(kernel, use.key,
                           {live_, x_.tensor.data, w_.weight.data, bias_.tensor.data,
                            swapped ? gamma_.tensor.data : gate_.tensor.data,
                            swapped ? beta_.tensor.data : residual_.tensor.data, y_.data, records, more...},
                           push, tile, groups);
        };
        if constexpr (std::is_same_v<Tile, kernels::MatmulSplitTile>)
            run(gamma_.tensor.data, beta_.tensor.data, normed);
        else if constexpr (kCoopmat) run(y_.data, normed);
        else if constexpr (std::is_same_v<Tile, kernels::MatmulTexelTile>) run(y_.data);
        else if constexpr (std::is_same_v<Tile, kernels::MatmulTiledTile>) run(live_, live_, live_);
        else run();
        c.run();
        compare(c);
    }

private:
    uint32_t flags() const {
        uint32_t flags = shape_.flags;
        if (shape_.records) flags &= ~(shared::kMatmulGate | shared::kMatmulResidual);
        return flags | (shape_.records ? shared::kMatmulRecords : 0) | (shape_.relu_flag ? shared::kMatmulRelu : 0);
    }

    void normalise() {
        normed_ = x_.values;
        for (uint32_t row = 0; row < shape_.rows; ++row) {
            double* values = normed_.data() + size_t(row) * shape_.k;
            const bool centred = shape_.norm == shared::kNormCentred;
            const reference::Norm norm = reference::norm(0, shape_.k, centred, 1e-5,
                                                         [&](uint32_t i) { return values[i]; });
            for (uint32_t i = 0; i < shape_.k; ++i)
                values[i] = norm(values[i]) * gamma_(0, i) + (centred ? beta_(0, i) : 0.0);
        }
    }

    double input(uint32_t row, uint32_t i) const {
        const double x = shape_.norm ? normed_[size_t(row) * shape_.k + i] : x_(row, i);
        const bool halves = shape_.halves || (shape_.norm && x_.tensor.dtype == DType::f16);
        return halves ? from_half(to_half(float(x))) : x;
    }

    Expected output(uint32_t row, uint32_t column) const {
        Expected sum;
        for (uint32_t i = 0; i < shape_.k; ++i) {
            const double term = kScale * input(row, i) * w_(column, i);
            sum.value += term;
            sum.magnitude += std::abs(term);
        }
        const uint32_t used = flags();
        if (used & shared::kMatmulBias) sum.value += bias_(0, column);
        sum.value = reference::activated(sum.value,
                                         shape_.relu_flag ? Activation::relu : Activation(shape_.activation));
        if (used & shared::kMatmulGate) sum.value *= gate_(row, column);
        if (used & shared::kMatmulResidual) sum.value += residual_(row, column);
        // f16 values may be rounded the other way
        if (shape_.norm && x_.tensor.dtype == DType::f16) sum.magnitude *= 20;
        return sum;
    }

    void compare(Case& c) const {
        std::vector<Expected> all(size_t(shape_.rows) * shape_.n);
        for (size_t i = 0; i < all.size(); ++i) all[i] = output(uint32_t(i / shape_.n), uint32_t(i % shape_.n));
        const auto at = [&](uint32_t row, uint32_t column) { return all[size_t(row) * shape_.n + column]; };
        if (!(flags() & shared::kMatmulNoStore)) c.compare(y_, shape_.rows, at);
        if (shape_.norm)
            c.compare(normed_y_, shape_.rows,
                      [&](uint32_t row, uint32_t i) { return Expected{normed_[size_t(row) * shape_.k + i], 4}; });
        if (!shape_.records) return;
        // Only maxima and sums are compared; the places follow from values known only to within rounding.
        c.compare(records_, shape_.rows * 3, [&](uint32_t line, uint32_t tile) -> Expected {
            const uint32_t row = line / 3, kind = line % 3, begin = tile * ops::kPanel;
            uint32_t best = begin;
            double sum = 0, magnitude = 0;
            for (uint32_t i = begin; i < std::min(begin + ops::kPanel, shape_.n); ++i) {
                if (at(row, i).value > at(row, best).value) best = i;
                magnitude = std::max(magnitude, at(row, i).magnitude);
            }
            for (uint32_t i = begin; i < std::min(begin + ops::kPanel, shape_.n); ++i)
                sum += std::exp(at(row, i).value - at(row, best).value);
            if (kind == RECORD_MAXIMUM) return {at(row, best).value, magnitude};
            if (kind == RECORD_SUM) return {sum, sum * (1 + magnitude)};
            return {double(std::bit_cast<float>(best)), 1};
        });
    }

    const Shape shape_;
    Matrix x_;
    WeightMatrix w_;
    DType y_type_;
    Matrix bias_, gate_, residual_, gamma_, beta_;
    Tensor y_, normed_y_, records_;
    BufferView live_;
    uint32_t tiles_ = 0;
    std::vector<double> normed_;
};

// Weights in blocks need a whole number of blocks of inputs.
uint32_t inputs(const KernelUse& use, uint32_t inputs) {
    return block_bytes(use.key.types[1]) ? (inputs + kBlockElements - 1) / kBlockElements * kBlockElements : inputs;
}

uint32_t panels(uint32_t n) { return (n + ops::kPanel - 1) / ops::kPanel; }

void tiled(Case& c, const KernelUse& use) {
    if (is_int8(use)) return tiled_int8(c, use);
    const auto tile = tile_of<kernels::MatmulTiledTile>(use);
    Product(c, use,
            {.rows = tile.tile_rows + 5,
             .rows_per_group = tile.tile_rows,
             .column_groups = panels(kOutputs),
             .k = inputs(use, tile.x_quads ? 76 : 67),
             .activation = tile.activation,
             .x_quads = bool(tile.x_quads),
             .records = bool(tile.records)})
        .dispatch(c, use, kernels::matmul_tiled, tile);
}

void coopmat(Case& c, const KernelUse& use) {
    const auto tile = tile_of<kernels::MatmulCoopmatTile>(use);
    const uint32_t columns = ops::coopmat_columns(tile), n = columns + 37, rows = ops::coopmat_rows(tile);
    constexpr uint32_t kPlain = shared::kMatmulBias;
    Product(c, use,
            {.rows = rows + 5,
             .rows_per_group = rows,
             .column_groups = (n + columns - 1) / columns,
             .n = n,
             .k = 2 * tile.slices * tile.tile_k + (tile.norm ? 8 : 13),  // a norm takes a multiple of eight
             .activation = tile.activation,
             .flags = tile.norm ? kPlain : kPlain | shared::kMatmulGate | shared::kMatmulResidual,
             .records = bool(tile.records),
             .norm = tile.norm,
             .halves = true,
             .wide = true})
        .dispatch(c, use, kernels::matmul_coopmat, tile);
}

void coopmat2(Case& c, const KernelUse& use) {
    const auto tile = tile_of<kernels::MatmulCoopmat2Tile>(use);
    const uint32_t columns = ops::coopmat_columns(tile), n = columns + 37;
    Product(c, use,
            {.rows = tile.tile_rows + 5,
             .rows_per_group = tile.tile_rows,
             .column_groups = (n + columns - 1) / columns,
             .n = n,
             .k = 2 * tile.tile_k + 13,
             .activation = tile.activation,
             .records = bool(tile.records),
             .wide = true})
        .dispatch(c, use, kernels::matmul_coopmat2, tile);
}

void split(Case& c, const KernelUse& use) {
    const auto tile = tile_of<kernels::MatmulSplitTile>(use);
    const uint32_t lanes = tile.invocations * (use.key.types[1] == DType::f16 ? 8 : 4) / tile.columns;
    const uint32_t step = block_bytes(use.key.types[1]) ? 8 : 4;
    Product(c, use,
            {.rows = tile.rows == 1 ? 1 : tile.rows + 1,
             .rows_per_group = tile.rows,
             .column_groups = (kOutputs + tile.columns - 1) / tile.columns,
             .k = inputs(use, lanes * step * tile.unroll + 37),
             .activation = tile.activation,
             .x_quads = bool(tile.x_quads),
             .records = bool(tile.records),
             .norm = tile.norm})
        .dispatch(c, use, kernels::matmul_split, tile);
}

// The flags of this kernel are a constant, but for relu.
void texel(Case& c, const KernelUse& use, bool relu) {
    const auto tile = tile_of<kernels::MatmulTexelTile>(use);
    Product(c, use,
            {.rows = tile.rows + 3,
             .rows_per_group = tile.rows,
             .column_groups = panels(kOutputs) * (ops::kPanel / 8 / tile.lanes),
             .k = inputs(use, 76),
             .activation = tile.activation,
             .x_quads = true,
             .flags = tile.flags,
             .records = bool(tile.flags & shared::kMatmulRecords),
             .relu_flag = relu})
        .dispatch(c, use, kernels::matmul_texel, tile);
}

void texel(Case& c, const KernelUse& use) {
    texel(c, use, false);
    if (Activation(tile_of<kernels::MatmulTexelTile>(use).activation) != Activation::none) return;
    Case with_relu(c.context);
    texel(with_relu, use, true);
    c.add(with_relu.difference());
}

constexpr Row kRows[] = {{kernels::matmul_tiled.shader, tiled},
                         {kernels::matmul_split.shader, split},
                         {kernels::matmul_coopmat.shader, coopmat},
                         {kernels::matmul_coopmat2.shader, coopmat2},
                         {kernels::matmul_texel.shader, texel}};

}  // namespace
}  // namespace product_checks

std::span<const Row> product_rows() { return product_checks::kRows; }

}  // namespace dragoman::check
