// SPDX-License-Identifier: Apache-2.0
// Cross-attention that begins with the product of its queries.
#include "base/half.h"
#include "check/attended.h"
#include "check/reference.h"
#include "ops/kernels.h"

namespace dragoman::check {
namespace {

constexpr float kEpsilon = 1e-5f;

// Rows of x after their norm.
std::vector<double> normalised(const Matrix& x, const Matrix& gamma, const Matrix& beta, uint32_t norm) {
    std::vector<double> values = x.values;
    const uint32_t cols = x.tensor.cols;
    for (uint32_t row = 0; norm && row < x.tensor.rows; ++row) {
        double* of = values.data() + size_t(row) * cols;
        const bool centred = norm == shared::kNormCentred;
        const reference::Norm normed = reference::norm(0, cols, centred, kEpsilon, [&](uint32_t i) { return of[i]; });
        for (uint32_t i = 0; i < cols; ++i) of[i] = normed(of[i]) * gamma(0, i) + (centred ? beta(0, i) : 0.0);
    }
    return values;
}

}  // namespace

void cross_query(Case& c, const vulkan::KernelUse& use) {
    const auto tile = tile_of<kernels::QueryAttentionTile>(use);
    const DType type = use.key.types[0];
    const uint32_t d = kHeads * tile.head_dim, rows = uint32_t(kLive.size()), sources = 41,
                   width = 16 / size_bytes(type);
    const uint32_t inputs = (tile.lanes / tile.head_lanes * tile.unroll + 3) * width;  // the lanes have unequal shares
    const uint32_t stride = stride_in(true, d);
    // Begins, another word, lengths.
    const std::vector<uint32_t> begin = {3, 4}, length = {1, 37}, ranges = {3, 4, 1000, 1, 37};
    const Matrix x = c.matrix(rows, inputs, type, stride_in(true, inputs) + 8), gamma = c.row(inputs),
                 beta = c.row(inputs), bias = c.row(d), memory = c.matrix(sources, 2 * d, type, stride_in(true, 2 * d));
    const WeightMatrix w = c.weight(d, inputs, use.key.types[2]);
    const BufferView live = c.count(rows), live_rows = c.words(kLive), source_ranges = c.words(ranges);
    const Tensor y = c.blank(rows + 1, d, type, stride),
                 normed = c.blank(rows + 1, inputs, type, stride_in(true, inputs));
    c.rec.dispatch(kernels::step_cross_attention_query, use.key,
                   {live, x.tensor.data, memory.tensor.data, live_rows, source_ranges, w.weight.data, bias.tensor.data,
                    gamma.tensor.data, y.data, beta.tensor.data, tile.norm ? normed.data : y.data},
                   shared::StepCrossAttentionPush{.heads = kHeads,
                                                  .heads_per_group = 2,
                                                  .q_stride = x.tensor.stride,
                                                  .memory_stride = memory.tensor.stride,
                                                  .y_stride = y.stride,
                                                  .beam = kBeam,
                                                  .weights_begin = 0,
                                                  .weights_heads = 0,
                                                  .weights_stride = 0,
                                                  .max_steps = 0,
                                                  .scale = kScale,
                                                  .inputs = inputs,
                                                  .has_bias = 1,
                                                  .norm_y_stride = normed.stride,
                                                  .length_at = 3,
                                                  .epsilon = kEpsilon},
                   tile, vulkan::Groups(rows, (kHeads + 1) / 2));
    c.run();

    const bool halves = type == DType::f16;
    const std::vector<double> values = normalised(x, gamma, beta, tile.norm);
    std::vector<double> queries(size_t(rows) * d);
    for (uint32_t row = 0; row < rows; ++row)
        for (uint32_t column = 0; column < d; ++column) {
            double sum = bias(0, column);
            for (uint32_t i = 0; i < inputs; ++i) {
                const double input = values[size_t(row) * inputs + i];
                sum += (halves ? from_half(to_half(float(input))) : input) * w(column, i);
            }
            queries[size_t(row) * d + column] = sum;
        }
    std::vector<Attention> all;
    for (uint32_t row = 0; row < rows; ++row)
        for (uint32_t head = 0; head < kHeads; ++head) {
            const uint32_t slot = kLive[row] / kBeam;
            all.emplace_back(length[slot], [&](uint32_t j) {
                double score = 0;
                for (uint32_t i = head * tile.head_dim; i < (head + 1) * tile.head_dim; ++i)
                    score += queries[size_t(row) * d + i] * memory(begin[slot] + j, i);
                return kScale * score;
            });
        }
    c.compare(y, rows, [&](uint32_t row, uint32_t column) {
        Expected result = all[row * kHeads + column / tile.head_dim].of([&](uint32_t j) {
            return memory(begin[kLive[row] / kBeam] + j, d + column);
        });
        if (tile.norm && halves) result.magnitude *= 20;  // f16 values may be rounded the other way
        return result;
    });
    if (tile.norm)
        c.compare(normed, rows,
                  [&](uint32_t row, uint32_t i) { return Expected{values[size_t(row) * inputs + i], 4}; });
}

}  // namespace dragoman::check
