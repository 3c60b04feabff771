// SPDX-License-Identifier: Apache-2.0
// Top-k, sampling, and lists of outputs.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "check/kernel_check.h"
#include "ops/kernels.h"
#include "ops/outputs.h"
#include "ops/topk.h"

namespace dragoman::check {
namespace search_checks {
namespace {

using vulkan::Groups;
using vulkan::KernelUse;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr uint32_t kRows = 3, kColumns = 333, kTiles = (kColumns + TOPK_TILE - 1) / TOPK_TILE;

void topk_partial(Case& c, const KernelUse& use) {
    const auto tile = tile_of<kernels::TopkPartialTile>(use);
    Matrix x = c.matrix(kRows, kColumns, DType::f32, stride_of(kColumns, tile.quads));
    std::vector<float> numbers(size_t(kRows) * x.tensor.stride);
    for (uint32_t row = 0; row < kRows; ++row)
        for (uint32_t i = 0; i < kColumns; ++i) numbers[row * x.tensor.stride + i] = float(x(row, i));
    for (const uint32_t i : {0u, 77u, 78u, kColumns - 1}) {  // take no part, as what is disabled
        numbers[x.tensor.stride + i] = kNan;
        x.values[kColumns + i] = -INFINITY;
    }
    const Tensor records = c.blank(kRows * RECORD_WORDS, kTiles, DType::f32);
    c.rec.dispatch(kernels::topk_partial, use.key, {c.count(kRows), c.numbers(numbers), records.data},
                   shared::TopkPush{.cols = kColumns, .stride = x.tensor.stride, .k = 0, .tiles = kTiles}, tile,
                   Groups(kRows, (kTiles + tile.lanes - 1) / tile.lanes));
    c.run();
    c.compare(records, records.rows, [&](uint32_t line, uint32_t t) { return expected_record(x, line, t); });
}

void topk_merge(Case& c, const KernelUse& use) {
    const auto tile = tile_of<kernels::TopkMergeTile>(use);
    const uint32_t k = tile.list < 4 ? tile.list : 2 * tile.list + 1;
    const Matrix x = c.matrix(kRows, kColumns, DType::f32);
    const Tensor values = c.blank(kRows, k, DType::f32), log_sum = c.blank(1, kRows, DType::f32);
    const BufferView columns = c.words(std::vector<uint32_t>(kRows * k, 0));
    std::vector<uint32_t> records = records_of(x);  // the last row overflowed
    records[((kRows - 1) * RECORD_WORDS + RECORD_SUM) * kTiles + 1] = std::bit_cast<uint32_t>(kNan);
    c.rec.dispatch(kernels::topk_merge, use.key,
                   {c.count(kRows), x.tensor.data, c.words(records), values.data, columns, log_sum.data},
                   shared::TopkPush{.cols = kColumns, .stride = kColumns, .k = k, .tiles = kTiles}, tile,
                   Groups(kRows));
    c.run();
    std::vector<uint32_t> best;
    for (uint32_t row = 0; row < kRows; ++row) {
        std::vector<uint32_t> order(kColumns);
        std::iota(order.begin(), order.end(), 0u);
        std::ranges::stable_sort(order, [&](uint32_t a, uint32_t b) { return x(row, a) > x(row, b); });
        best.insert(best.end(), order.begin(), order.begin() + k);
    }
    c.compare_words(columns, best);
    c.compare(values, kRows, [&](uint32_t row, uint32_t i) { return Expected{x(row, best[row * k + i]), 0}; });
    c.compare(log_sum, 1, [&](uint32_t, uint32_t row) {
        if (row == kRows - 1) return Expected{-1e30f, 0};  // disabled
        double sum = 0;
        for (uint32_t i = 0; i < kColumns; ++i) sum += std::exp(x(row, i));
        return Expected{std::log(sum), 1};
    });
}

// One column of each row has nearly all of the mass, so that it is drawn.
void sample(Case& c, const KernelUse& use) {
    Matrix x = c.matrix(kRows, kColumns, DType::f32);
    const std::vector<uint32_t> sure = {64, 0, kColumns - 1};
    std::vector<float> logits(x.values.begin(), x.values.end());
    for (uint32_t row = 0; row < kRows; ++row) {
        const uint32_t at = row * kColumns + sure[row];
        x.values[at] = logits[at] = 60;
    }
    std::vector<uint32_t> inputs;
    for (const shared::SampleInput& input : {shared::SampleInput{0.9f, 0, 1.0f, 0.0f, 1, 2, 0, 3, 4},
                                             shared::SampleInput{1.1f, 5, 0.9f, 0.0f, 5, 6, 1, 7, 8},
                                             shared::SampleInput{1.0f, 0, 0.5f, 0.01f, 9, 1, 2, 3, 4}}) {
        const auto words = std::bit_cast<std::array<uint32_t, sizeof input / 4>>(input);
        inputs.insert(inputs.end(), words.begin(), words.end());
    }
    const BufferView values = c.numbers(std::vector<float>(kRows, 60.0f)),
                     columns = c.words(std::vector<uint32_t>(kRows, ops::kMaxTopK));
    c.rec.dispatch(kernels::sample, use.key,
                   {c.count(kRows), c.numbers(logits), c.words(records_of(x)), c.words(inputs), c.words({2, 0, 1}),
                    c.words({7, 8, 9}), values, columns},
                   shared::SamplePush{.cols = kColumns, .stride = kColumns, .tiles = kTiles},
                   tile_of<kernels::SampleTile>(use), Groups(kRows));
    c.run();
    c.compare_words(columns, sure);
    c.compare_words(values, std::vector<uint32_t>(kRows, std::bit_cast<uint32_t>(60.0f)));
}

void gather_outputs(Case& c, const KernelUse& use) {
    constexpr uint32_t kAll = 101, kInputs = 19, kSome = 70;
    const std::vector<uint32_t> ids = c.words_below(kSome, kAll);
    const WeightMatrix all = c.weight(kAll, kInputs, DType::f32);
    const uint32_t panels = (kSome + ops::kPanel - 1) / ops::kPanel;
    const Tensor some = c.blank(panels * kInputs, ops::kPanel, DType::f32);
    c.rec.dispatch(kernels::gather_outputs, use.key, {c.count(kSome), all.weight.data, c.words(ids), some.data},
                   shared::GatherOutputsPush{.n = kAll, .begin = 0, .end = kAll, .inputs = kInputs, .halves = 0}, {},
                   Groups(panels, (kInputs + shared::kGatherInputs - 1) / shared::kGatherInputs));
    c.run();
    c.compare(some, some.rows, [&](uint32_t line, uint32_t column) {
        const uint32_t output = line / kInputs * ops::kPanel + column;
        return Expected{output < kSome ? all(ids[output], line % kInputs) : 0.0, 0};
    });
}

void spread_columns(Case& c, const KernelUse& use) {
    constexpr uint32_t kWide = 1033, kBeam = 2, kWords = (kWide + 31) / 32;
    constexpr uint32_t kWideTiles = (kWide + TOPK_TILE - 1) / TOPK_TILE;
    const auto tile = tile_of<kernels::SpreadColumnsTile>(use);
    const Matrix x = c.matrix(kRows, kColumns, DType::f32);
    const std::vector<uint32_t> live = {0, 1, 3};
    std::vector<uint32_t> places = c.words_below(kWide, 2 * kColumns), bits = c.words_below(2 * kWords, 0xffffffffu);
    const auto permits = [&](uint32_t row, uint32_t i) {
        return places[i] < kColumns && (bits[live[row] / kBeam * kWords + i / 32] >> i % 32 & 1) != 0;
    };
    // Each tile has a column; every other one few of them.
    for (uint32_t begin = 0; begin < kWide; begin += TOPK_TILE) places[begin + 8] = begin % kColumns;
    for (uint32_t slot = 0; slot < 2; ++slot)
        for (uint32_t word = 0; word < kWords; word += 2) {
            uint32_t& columns = bits[slot * kWords + word];
            columns = word % 4 == 0 ? columns | 0x100 : 0x80000113;
            if (word % 4 == 2) bits[slot * kWords + word + 1] = 0;
        }
    Matrix expected = c.matrix(kRows, kWide, DType::f32);
    for (uint32_t row = 0; row < kRows; ++row)
        for (uint32_t i = 0; i < kWide; ++i)
            expected.values[row * kWide + i] = permits(row, i) ? x(row, places[i]) : ops::kNoLogit;
    const Tensor y = c.blank(kRows + 1, kWide, DType::f32);
    const Tensor records = c.blank(kRows * RECORD_WORDS, kWideTiles, DType::f32);
    c.rec.dispatch(
        kernels::spread_columns, use.key,
        {c.count(kRows), x.tensor.data, c.words(places), c.words(live), c.words(bits), y.data, records.data},
        shared::SpreadColumnsPush{
            .x_cols = kColumns, .x_stride = kColumns, .y_cols = kWide, .y_stride = kWide, .beam = kBeam, .whole = 1},
        tile, Groups(kRows, (kWideTiles + tile.lanes - 1) / tile.lanes));
    c.run();
    c.compare(y, kRows, [&](uint32_t row, uint32_t i) { return Expected{expected(row, i), 0}; });
    c.compare(records, records.rows, [&](uint32_t line, uint32_t t) { return expected_record(expected, line, t); });
}

void add_log_probs(Case& c, const KernelUse& use) {
    constexpr float kWeight = 0.4f;
    const Matrix x = c.matrix(kRows, kColumns, DType::f32), sums = c.row(kRows);
    Matrix ys[] = {c.matrix(kRows, kColumns, DType::f32), c.matrix(kRows, kColumns, DType::f32)};
    const BufferView live = c.count(kRows);
    for (const bool probabilities : {false, true})
        c.rec.dispatch(kernels::add_log_probs, use.key,
                       {live, x.tensor.data, sums.tensor.data, ys[probabilities].tensor.data},
                       shared::AddLogProbsPush{.cols = kColumns,
                                               .x_stride = kColumns,
                                               .y_stride = kColumns,
                                               .first = 0,
                                               .probabilities = probabilities,
                                               .weight = probabilities ? std::log(kWeight) : kWeight},
                       {}, Groups(kRows, (kColumns + shared::kAddLogProbsColumns - 1) / shared::kAddLogProbsColumns));
    c.run();
    for (const bool probabilities : {false, true})
        c.compare(ys[probabilities].tensor, kRows, [&](uint32_t row, uint32_t i) {
            const double p = x(row, i) - sums(0, row), before = ys[probabilities](row, i);
            return Expected{probabilities ? std::log(std::exp(before) + kWeight * std::exp(p)) : before + kWeight * p,
                            2};
        });
}

void group_arguments(Case& c, const KernelUse& use) {
    const std::vector<uint32_t> counts = {37, 0, 1}, table = {8, 3, 1, 0, 1, 1, 2, 1, 64, 5, 1, 2, 0, 0, 0, 0};
    constexpr uint32_t kSlots = 4;
    const BufferView arguments = c.words(std::vector<uint32_t>(kSlots * shared::kGroupArgumentStride, 7));
    c.rec.dispatch(kernels::group_arguments, use.key, {c.words(counts), c.words(table), arguments},
                   shared::GroupArgumentsPush{.slots = kSlots}, {}, Groups(1));
    c.run();
    c.compare_words(arguments, {5, 3, 1, 7, 0, 1, 2, 7, 1, 5, 1, 7, 0, 0, 0, 7});
}

constexpr Row kTable[] = {{kernels::topk_partial.shader, topk_partial},
                          {kernels::topk_merge.shader, topk_merge},
                          {kernels::sample.shader, sample},
                          {kernels::gather_outputs.shader, gather_outputs},
                          {kernels::spread_columns.shader, spread_columns},
                          {kernels::add_log_probs.shader, add_log_probs},
                          {kernels::group_arguments.shader, group_arguments}};

}  // namespace
}  // namespace search_checks

std::span<const Row> search_rows() { return search_checks::kTable; }

namespace {

struct Record {
    double maximum = 0, sum = 0;
    uint32_t column = 0;
};

Record record_of(const Matrix& x, uint32_t row, uint32_t tile) {
    const uint32_t begin = tile * TOPK_TILE, end = std::min(begin + TOPK_TILE, x.tensor.cols);
    Record record{.maximum = x(row, begin), .sum = 0, .column = begin};
    for (uint32_t i = begin; i < end; ++i)
        if (x(row, i) > record.maximum) record = {x(row, i), 0, i};
    for (uint32_t i = begin; i < end; ++i) record.sum += std::exp(x(row, i) - record.maximum);
    return record;
}

}  // namespace

std::vector<uint32_t> records_of(const Matrix& x) {
    const uint32_t tiles = (x.tensor.cols + TOPK_TILE - 1) / TOPK_TILE;
    std::vector<uint32_t> words(size_t(x.tensor.rows) * tiles * RECORD_WORDS);
    for (uint32_t row = 0; row < x.tensor.rows; ++row)
        for (uint32_t tile = 0; tile < tiles; ++tile) {
            const Record record = record_of(x, row, tile);
            const auto word = [&](uint32_t kind) -> uint32_t& {
                return words[(row * RECORD_WORDS + kind) * tiles + tile];
            };
            word(RECORD_MAXIMUM) = std::bit_cast<uint32_t>(float(record.maximum));
            word(RECORD_SUM) = std::bit_cast<uint32_t>(float(record.sum));
            word(RECORD_COLUMN) = record.column;
        }
    return words;
}

Expected expected_record(const Matrix& x, uint32_t line, uint32_t tile) {
    const Record record = record_of(x, line / RECORD_WORDS, tile);
    const uint32_t kind = line % RECORD_WORDS;
    if (kind == RECORD_COLUMN) return {double(std::bit_cast<float>(record.column)), 0};
    return {kind == RECORD_MAXIMUM ? record.maximum : record.sum, 0};
}

}  // namespace dragoman::check
