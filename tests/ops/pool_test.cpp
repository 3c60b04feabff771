// SPDX-License-Identifier: Apache-2.0
#include "ops/pool.h"

#include <doctest/doctest.h>

#include "ops/kernels.h"
#include "support/op_test.h"

namespace pool_test {

using namespace dragoman;
using namespace dragoman::test;

namespace {

struct Case {
    std::vector<uint32_t> lengths;  // of the live sentences
    uint32_t capacity, cols;
    bool first, indirect;
};

const Case kCases[] = {
    {{1}, 1, 1, false, false},          {{3, 1, 7}, 3, 63, false, true},
    {{3, 1, 7}, 5, 65, true, true},     {{0, 2, 0, 5}, 4, 64, false, false},
    {{0, 2, 0, 5}, 4, 64, true, false}, {{400, 1, 33}, 3, 512, false, false},
    {{}, 2, 16, false, true},
};

void check(Context& context, const Case& c, DType dtype) {
    CAPTURE(c.cols);
    CAPTURE(c.first);
    std::vector<uint32_t> begin{0};
    for (const uint32_t length : c.lengths) begin.push_back(begin.back() + length);
    const auto sentences = uint32_t(c.lengths.size());
    const uint32_t tokens = begin.back();
    begin.resize(c.capacity + 1, begin.back());
    const Matrix x = random_matrix(std::max(tokens, 1u), c.cols, tokens * 7 + c.cols, dtype, 3.0f);
    const DeviceTensor dx = upload(context, x, dtype, x.rows, c.cols + 3);
    const DeviceTensor dy = blank(context, c.capacity, c.cols, DType::f32, c.cols + 5);
    const auto words = upload(context, begin);
    const LiveRows live(context, sentences, c.capacity, c.indirect);
    run(context, live, [&](Recorder& rec) {
        ops::pool(rec, {.x = dx, .begin = *words, .first = c.first, .y = dy, .sentences = live.extent});
    });
    const Matrix y = download(context, dy);
    Comparison comparison(DType::f32);
    for (uint32_t s = 0; s < sentences; ++s) {
        const uint32_t taken = c.first ? std::min(c.lengths[s], 1u) : c.lengths[s];
        for (uint32_t col = 0; col < c.cols; ++col) {
            double sum = 0, magnitude = 0;
            for (uint32_t r = 0; r < taken; ++r) {
                sum += x(begin[s] + r, col);
                magnitude += std::abs(x(begin[s] + r, col));
            }
            comparison.close(s, col, y(s, col), sum / std::max(taken, 1u), magnitude / std::max(taken, 1u));
        }
    }
    comparison.untouched(y, sentences, c.cols);
    comparison.check();
}

}  // namespace

TEST_CASE("the mean of a sentence's rows, or the first, matches the double-precision loop") {
    on_every_device([&](Context& context) {
        for (DType dtype : {DType::f32, DType::f16}) {
            if (!runs(context, *kernels::pool.shader, dtype)) continue;
            CAPTURE(name(dtype));
            for (const Case& c : kCases) check(context, c, dtype);
        }
    });
}

}  // namespace pool_test
