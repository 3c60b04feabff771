// SPDX-License-Identifier: Apache-2.0
// Recurrent networks: gated cells, their attention, sentences' means and first states.
#include <algorithm>
#include <cmath>

#include "check/kernel_check.h"
#include "check/reference.h"
#include "ops/kernels.h"

namespace dragoman::check {
namespace cell_checks {
namespace {

using vulkan::Groups;
using vulkan::KernelUse;

// Sentence 1 has no token.
const std::vector<uint32_t> kBegin = {0, 4, 6, 11};
constexpr uint32_t kSentences = 3, kTokens = 11, kTime = 2, kCols = 77, kMargin = 3;
constexpr float kEpsilon = 1e-5f;

// Inputs and outputs of a cell, and the numbers expected of it.
class GatedCell {
public:
    // With kCellTimed rows are sentences, otherwise tokens. `norm_cols`: columns of the first norm; 0: no norm.
    GatedCell(Case& c, const KernelUse& use, uint32_t flags, uint32_t norm_cols)
        : flags_(flags), gates_(tile_of<kernels::GatedCellTile>(use).gates), norm_cols_(norm_cols),
          x_(c.matrix(kTokens, gates_ * kCols, use.key.types[0])),
          u_(c.matrix(kSentences, gates_ * kCols, use.key.types[0])), x_parameters_(c.row(2 * gates_ * kCols)),
          u_parameters_(c.row(2 * gates_ * kCols)), state_(c.matrix(kSentences, (gates_ - 2) * kCols, DType::f32)),
          residual_(c.matrix(kTokens, kCols, use.key.types[0])), y_(c.blank(kSentences + 1, kCols, use.key.types[0])),
          out_(c.blank(kTokens, kMargin + kCols, use.key.types[0])) {
        c.rec.dispatch(kernels::gated_cell, use.key,
                       {c.count(kSentences), c.words(kBegin), x_.tensor.data, x_parameters_.tensor.data, u_.tensor.data,
                        u_parameters_.tensor.data, state_.tensor.data, y_.data, residual_.tensor.data, out_.data},
                       shared::GatedCellPush{.cols = kCols,
                                             .x_stride = gates_ * kCols,
                                             .u_stride = gates_ * kCols,
                                             .y_stride = kCols,
                                             .residual_stride = kCols,
                                             .out_stride = kMargin + kCols,
                                             .out_column = kMargin,
                                             .norm_cols = norm_cols,
                                             .flags = flags,
                                             .time = kTime,
                                             .epsilon = kEpsilon},
                       tile_of<kernels::GatedCellTile>(use), Groups(kSentences));
    }

    void compare(Case& c) const {
        constexpr Expected kStays{Case::kUnwritten, 0};
        c.compare(y_, kSentences, [&](uint32_t row, uint32_t i) {
            return takes_part(row) ? Expected{next(row, i).hidden, 4} : kStays;
        });
        c.compare(state_.tensor, kSentences, [&](uint32_t row, uint32_t i) {
            if (!takes_part(row)) return Expected{state_(row, i), 0};
            return Expected{i < kCols ? next(row, i).hidden : next(row, i - kCols).cell, 4};
        });
        c.compare(out_, kTokens, [&](uint32_t line, uint32_t i) {
            if (i < kMargin || !(flags_ & shared::kCellOut)) return kStays;
            for (uint32_t row = 0; row < kSentences; ++row) {
                if (!takes_part(row) || token(row) != line) continue;
                const bool adds = flags_ & shared::kCellResidual;
                return Expected{next(row, i - kMargin).hidden + (adds ? residual_(line, i - kMargin) : 0.0), 4};
            }
            return kStays;
        });
    }

private:
    bool takes_part(uint32_t row) const {
        return !(flags_ & shared::kCellTimed) || kTime < kBegin[row + 1] - kBegin[row];
    }
    uint32_t token(uint32_t row) const {
        if (!(flags_ & shared::kCellTimed)) return row;
        return flags_ & shared::kCellBackward ? kBegin[row + 1] - 1 - kTime : kBegin[row] + kTime;
    }

    // Column i of a line after the line's norm.
    double normed(const Matrix& of, const Matrix& parameters, uint32_t line, uint32_t i) const {
        if (norm_cols_ == 0) return of(line, i);
        const uint32_t all = gates_ * kCols, begin = i < norm_cols_ ? 0 : norm_cols_,
                       end = i < norm_cols_ ? norm_cols_ : all;
        const reference::Norm norm = reference::norm(begin, end, true, kEpsilon,
                                                     [&](uint32_t j) { return of(line, j); });
        return norm(of(line, i)) * parameters(0, i) + parameters(0, all + i);
    }

    reference::LstmState next(uint32_t row, uint32_t i) const {
        const auto x = [&](uint32_t gate) {
            const uint32_t at = gate * kCols + i;
            return flags_ & shared::kCellInput ? normed(x_, x_parameters_, token(row), at) : x_parameters_(0, at);
        };
        const auto u = [&](uint32_t gate) { return normed(u_, u_parameters_, row, gate * kCols + i); };
        if (gates_ == 3) return {reference::gru(state_(row, i), x, u), 0};
        return reference::lstm(state_(row, kCols + i), x, u);
    }

    const uint32_t flags_, gates_, norm_cols_;
    Matrix x_, u_, x_parameters_, u_parameters_, state_, residual_;
    Tensor y_, out_;
};

void gated_cell(Case& c, const KernelUse& use) {
    using namespace shared;
    const GatedCell cells[] = {{c, use, kCellInput | kCellTimed | kCellBackward | kCellOut | kCellResidual, 2 * kCols},
                               {c, use, kCellInput | kCellTimed | kCellOut, 0},
                               {c, use, 0, tile_of<kernels::GatedCellTile>(use).gates * kCols}};
    c.run();
    for (const GatedCell& cell : cells) cell.compare(c);
}

// Two slots of three rows each, one with more keys than are held at a time; one row is not live.
void additive_attention(Case& c, const KernelUse& use) {
    constexpr uint32_t kBeam = 3, kCacheRows = 6, kSteps = 3, kSources = 269, kWide = 272, kRows = 5, kDim = 37;
    const std::vector<uint32_t> live = {0, 2, 3, 4, 5}, position = {2, 2, 2, 1, 1, 1}, begin = {264, 3},
                                length = {5, 261};
    const DType type = use.key.types[0];
    const Matrix q = c.matrix(kRows, kDim, type), keys = c.matrix(kSources, kDim, type),
                 values = c.matrix(kSources, kDim, type), vector = c.row(kDim);
    const Tensor weights = c.blank(kCacheRows * kSteps, kWide, DType::f32), y = c.blank(kRows + 1, kDim, type);
    c.rec.dispatch(kernels::additive_attention, use.key,
                   {c.count(kRows), q.tensor.data, keys.tensor.data, values.tensor.data, vector.tensor.data,
                    c.words(live), c.words(begin), c.words(length), c.words(position), weights.data, y.data},
                   shared::AdditiveAttentionPush{.cols = kDim,
                                                 .q_stride = kDim,
                                                 .keys_stride = kDim,
                                                 .values_stride = kDim,
                                                 .y_stride = kDim,
                                                 .beam = kBeam,
                                                 .weights_stride = kWide,
                                                 .max_steps = kSteps,
                                                 .has_weights = 1},
                   tile_of<kernels::AdditiveAttentionTile>(use), Groups(kRows));
    c.run();
    std::vector<std::vector<double>> shares(kRows);
    for (uint32_t row = 0; row < kRows; ++row) {
        const uint32_t slot = live[row] / kBeam;
        std::vector<double> scores(length[slot]);
        for (uint32_t j = 0; j < length[slot]; ++j)
            for (uint32_t i = 0; i < kDim; ++i)
                scores[j] += vector(0, i) * std::tanh(keys(begin[slot] + j, i) + q(row, i));
        shares[row] = reference::softmax(std::move(scores));
    }
    c.compare(y, kRows, [&](uint32_t row, uint32_t i) {
        Expected mean{0, type == DType::f16 ? 10.0 : 4.0};  // the mean of the first keys is stored in the cache's type
        for (uint32_t j = 0; j < shares[row].size(); ++j)
            mean.value += shares[row][j] * values(begin[live[row] / kBeam] + j, i);
        return mean;
    });
    c.compare(weights, weights.rows, [&](uint32_t line, uint32_t j) {
        for (uint32_t row = 0; row < kRows; ++row)
            if (live[row] * kSteps + position[live[row]] == line && j < shares[row].size())
                return Expected{shares[row][j], 4};
        return Expected{Case::kUnwritten, 0};
    });
}

constexpr Row kTable[] = {{kernels::gated_cell.shader, gated_cell},
                          {kernels::additive_attention.shader, additive_attention}};

}  // namespace
}  // namespace cell_checks

std::span<const Row> cell_rows() { return cell_checks::kTable; }

}  // namespace dragoman::check
