// SPDX-License-Identifier: Apache-2.0
#include "ops/topk.h"

#include <doctest/doctest.h>

#include <limits>
#include <numeric>

#include "support/op_test.h"

namespace topk_test {

using namespace dragoman;
using namespace dragoman::test;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr uint32_t kNoColumn = 0xffffffff;

struct Ranked {
    std::vector<float> values;
    std::vector<uint32_t> columns;
    double log_sum = 0;
};

Ranked rank_row(const Matrix& x, uint32_t row, uint32_t k) {
    std::vector<uint32_t> order;
    for (uint32_t c = 0; c < x.cols; ++c)
        if (x(row, c) > -1e30f) order.push_back(c);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return x(row, a) > x(row, b); });
    double sum = 0;
    for (uint32_t c : order) sum += std::exp(double(x(row, c)) - x(row, order[0]));
    Ranked ranked;
    ranked.log_sum = order.empty() ? -1e30f : x(row, order[0]) + std::log(sum);
    for (uint32_t i = 0; i < k; ++i) {
        ranked.columns.push_back(i < order.size() ? order[i] : kNoColumn);
        ranked.values.push_back(i < order.size() ? x(row, order[i]) : -kInfinity);
    }
    return ranked;
}

uint32_t wide_stride(uint32_t cols) { return (cols + 3) / 4 * 4; }

enum class Fill { random, ties, constant, descending, ascending, disabled, all_disabled };

Matrix topk_input(uint32_t rows, uint32_t cols, Fill fill) {
    Matrix x = random_matrix(rows, cols, rows + cols, DType::f32, 12.0f);
    const float disabled[] = {-1e30f, -kInfinity, std::numeric_limits<float>::quiet_NaN(), -3e38f};
    for (uint32_t i = 0; i < rows * cols; ++i) {
        float& value = x.values[i];
        const uint32_t c = i % cols;
        if (fill == Fill::ties) value = std::round(value / 4);
        if (fill == Fill::constant) value = 1.5f;
        if (fill == Fill::descending) value = -float(c) / 64;
        if (fill == Fill::ascending) value = float(c) / 64 - 100;
        if (fill == Fill::disabled && c % 31 != 5) value = disabled[i % 4];
        if (fill == Fill::all_disabled) value = disabled[i % 4];
    }
    return x;
}

struct Results {
    std::vector<float> values;
    std::vector<uint32_t> columns;
    std::vector<float> log_sum;
};

// `stride` at least cols; a multiple of 4 takes the kernel's wide loads.
Results run_topk(Context& context, const Matrix& x, uint32_t k, uint32_t capacity, uint32_t stride,
                 bool indirect = false) {
    const DeviceTensor dx = upload(context, x, DType::f32, capacity, stride);
    const DeviceTensor values = blank(context, capacity, k, DType::f32);
    const DeviceTensor log_sum = blank(context, capacity, 1, DType::f32);
    const auto columns = upload(context, std::vector<uint32_t>(capacity * k, 7));
    const auto records = context.buffer(ops::column_records_bytes(capacity, x.cols), vulkan::BufferUse::device,
                                        "records");
    const LiveRows live(context, x.rows, capacity, indirect);
    run(context, live, [&](Recorder& rec) {
        ops::record_columns(rec, dx, *records, live.extent);
        ops::topk(rec, {.x = dx,
                        .records = *records,
                        .k = k,
                        .values = *values.buffer,
                        .columns = *columns,
                        .log_sum = *log_sum.buffer,
                        .rows = live.extent});
    });
    return {download(context, values).values, download<uint32_t>(context, *columns), download(context, log_sum).values};
}

void check(Context& context, uint32_t rows, uint32_t cols, uint32_t k, Fill fill, uint32_t stride, bool indirect) {
    CAPTURE(cols);
    CAPTURE(stride);
    CAPTURE(k);
    CAPTURE(int(fill));
    const uint32_t capacity = rows + 2;
    const Matrix x = topk_input(rows, cols, fill);
    const Results found = run_topk(context, x, k, capacity, stride, indirect);
    Comparison values(DType::f32), columns(DType::f32), sums(DType::f32);
    for (uint32_t r = 0; r < rows; ++r) {
        const Ranked expected = rank_row(x, r, k);
        for (uint32_t i = 0; i < k; ++i) {
            values.equal(r, i, found.values[r * k + i], expected.values[i]);
            columns.equal(r, i, found.columns[r * k + i], expected.columns[i]);
        }
        if (fill == Fill::all_disabled) sums.equal(r, 0, found.log_sum[r], -1e30f);
        else sums.close(r, 0, found.log_sum[r], expected.log_sum, std::abs(expected.log_sum));
    }
    for (uint32_t r = rows; r < capacity; ++r) {
        for (uint32_t i = 0; i < k; ++i) {
            values.equal(r, i, found.values[r * k + i], kSentinel);
            columns.equal(r, i, found.columns[r * k + i], 7);
        }
        sums.equal(r, 0, found.log_sum[r], kSentinel);
    }
    values.check();
    columns.check();
    sums.check();
}

}  // namespace

TEST_CASE("topk lists the largest columns in order, with the logarithm of the sum") {
    struct Case {
        uint32_t rows, cols, k;
    };
    // Tiles are 64 columns wide.
    const Case cases[] = {{3, 1, 1},    {3, 1, 4},     {2, 5, 3},     {2, 5, 128},  {3, 63, 8},   {1, 65, 9},
                          {3, 64, 5},   {2, 127, 3},   {2, 129, 128}, {2, 511, 1},  {2, 513, 7},  {2, 576, 2},
                          {2, 2047, 4}, {2, 2048, 12}, {2, 2049, 64}, {2, 5000, 1}, {2, 5000, 8}, {1, 5000, 128},
                          {0, 100, 4},  {3, 6145, 12}, {1, 32003, 1}, {1, 32003, 8}};
    on_every_device([&](Context& context) {
        for (const Case& c : cases)
            for (Fill fill : {Fill::random, Fill::ties, Fill::disabled}) {
                check(context, c.rows, c.cols, c.k, fill, c.cols + 1 + c.cols % 2, false);
                check(context, c.rows, c.cols, c.k, fill, wide_stride(c.cols), true);
            }
    });
}

TEST_CASE("topk survives one-sided, constant and fully disabled rows") {
    on_every_device([&](Context& context) {
        for (Fill fill : {Fill::constant, Fill::descending, Fill::ascending, Fill::all_disabled})
            for (uint32_t k : {1, 8, 20}) check(context, 2, 4501, k, fill, k == 8 ? 4501 : 4504, false);
    });
}

TEST_CASE("topk over a very large vocabulary") {
    on_every_device([&](Context& context) { check(context, 1, 260000, 5, Fill::random, 260000, false); });
}

TEST_CASE("log_sum depends neither on k, nor on other rows, nor on the stride") {
    on_every_device([&](Context& context) {
        const Matrix x = topk_input(4, 5000, Fill::random);
        const Results together = run_topk(context, x, 8, 4, 5000);
        const Results argmax = run_topk(context, x, 1, 4, 5000);
        for (uint32_t r = 0; r < 4; ++r) {
            const Matrix row{1, 5000, {x.values.begin() + r * 5000, x.values.begin() + (r + 1) * 5000}};
            CHECK(run_topk(context, row, 8, 1, 5001).log_sum[0] == together.log_sum[r]);
            CHECK(argmax.log_sum[r] == together.log_sum[r]);
        }
    });
}

}  // namespace topk_test
