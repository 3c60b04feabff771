// SPDX-License-Identifier: Apache-2.0
// Weights in blocks of 32 (q8, q4): products, lookups and gathered outputs against the values the blocks stand for.
#include "block_matrix.h"
#include "ops/embed.h"
#include "ops/kernels.h"
#include "ops/matmul.h"
#include "ops/outputs.h"
#include "support/op_test.h"
#include "support/sweep.h"

namespace dragoman::test::blocks_test {
namespace {

using ops::MatmulKernel;

constexpr MatmulKernel kAllKernels[] = {MatmulKernel::tiled, MatmulKernel::texel, MatmulKernel::split};

struct Case {
    uint32_t rows, n, k;
    DType x, w, y;
    MatmulKernel kernel;
    uint32_t padding = 0;
    uint32_t tile = ops::kUsualTile;
};

Matrix product(Context& context, const Case& c, const Matrix& x, const BlockMatrix& w, const Matrix& bias) {
    const auto x_device = upload(context, x, c.x, c.rows, c.k + c.padding);
    const auto w_device = w.upload(context);
    const auto bias_buffer = upload(context, bias.values);
    const auto y = blank(context, c.rows, c.n, c.y, c.n + c.padding);
    const LiveRows live(context, c.rows, c.rows);
    run(context, live, [&](Recorder& rec) {
        ops::matmul(rec, {.x = x_device, .w = w_device.weight, .bias = *bias_buffer, .y = y, .rows = live.extent},
                    fitting(context, c.kernel, x_device, w_device.weight), c.tile);
    });
    return download(context, y);
}

void check(Context& context, const Case& c) {
    if (!runs(context, ops::matmul_shader(c.kernel), {c.x, c.w, c.y})) return;
    const std::string what = fmt::format("rows {} n {} k {} types {} {} {} kernel {} padding {}", c.rows, c.n, c.k,
                                         name(c.x), name(c.w), name(c.y), int(c.kernel), c.padding);
    INFO(what);
    const Matrix x = random_matrix(c.rows, c.k, 1, c.x), bias = random_matrix(1, c.n, 3);
    const BlockMatrix w(c.n, c.k, 2, c.w);
    const Matrix y = product(context, c, x, w, bias);
    Comparison comparison(c.y);
    for (uint32_t r = 0; r < c.rows; ++r)
        for (uint32_t o = 0; o < c.n; ++o) {
            double sum = 0, magnitude = 0;
            for (uint32_t i = 0; i < c.k; ++i) {
                const double term = double(x(r, i)) * w.values(o, i);
                sum += term;
                magnitude += std::abs(term);
            }
            comparison.close(r, o, y(r, o), sum + bias(0, o), 1.2 * magnitude + 2);
        }
    comparison.untouched(y, c.rows, c.n);
    comparison.check();
}

TEST_CASE("products with weights in blocks, every kernel and type") {
    constexpr DType kTypes[][2] = {{DType::f32, DType::f32}, {DType::f16, DType::f16}, {DType::f16, DType::f32}};
    constexpr uint32_t kShapes[][2] = {{1, 32}, {7, 64}, {63, 96}, {65, 32}, {100, 160}, {130, 512}};
    on_every_device([&](Context& context) {
        for (const DType w : {DType::q8, DType::q4})
            for (const auto& [x, y] : kTypes)
                for (const MatmulKernel kernel : kAllKernels)
                    for (const uint32_t rows : sweep({3u, 65u, 1u}, kernel == MatmulKernel::tiled ? 2 : 1))
                        for (const auto& [n, k] : kShapes) {
                            if (x == DType::f16 && k % 96 && k != 512) continue;
                            check(context, {rows, n, k, x, w, y, kernel});
                            if (k == 96) check(context, {rows, n, k, x, w, y, kernel, 1});
                        }
    });
}

TEST_CASE("weights in blocks: tiled and texel give the same bits, and a row does not depend on its neighbours") {
    constexpr uint32_t kRows = 70, kN = 130, kK = 96;
    on_every_device([&](Context& context) {
        for (const DType w_type : {DType::q8, DType::q4}) {
            const Matrix x = random_matrix(kRows, kK, 1), bias = random_matrix(1, kN, 3);
            const BlockMatrix w(kN, kK, 2, w_type);
            // The same values as f32 weights: one sum, whichever way the weights lie.
            const auto plain = upload_weight(context, w.values, DType::f32);
            const auto x_device = upload(context, x, DType::f32);
            const auto bias_buffer = upload(context, bias.values);
            const auto y_device = blank(context, kRows, kN, DType::f32);
            const LiveRows live(context, kRows, kRows);
            run(context, live, [&](Recorder& rec) {
                ops::matmul(
                    rec, {.x = x_device, .w = plain.weight, .bias = *bias_buffer, .y = y_device, .rows = live.extent},
                    MatmulKernel::tiled);
            });
            const Matrix expected = download(context, y_device);
            for (const uint32_t rows : sweep({2u, 70u, 1u, 5u, 8u, 31u}, 2)) {
                Matrix last = x;
                last.values.erase(last.values.begin(), last.values.end() - ptrdiff_t(rows) * kK);
                last.rows = rows;
                for (const MatmulKernel kernel : {MatmulKernel::tiled, MatmulKernel::texel}) {
                    if (kernel == MatmulKernel::texel && rows > 2 && !full_sweep()) continue;  // long to compile
                    if (!runs(context, ops::matmul_shader(kernel), {DType::f32, w_type, DType::f32})) continue;
                    CAPTURE(rows);
                    CAPTURE(int(kernel));
                    CAPTURE(name(w_type));
                    const Case c{rows, kN, kK, DType::f32, w_type, DType::f32, kernel};
                    const Matrix y = product(context, c, last, w, bias);
                    Comparison comparison(DType::f32);
                    for (uint32_t r = 0; r < rows; ++r)
                        for (uint32_t o = 0; o < kN; ++o)
                            comparison.equal(r, o, y(r, o), expected(kRows - rows + r, o));
                    comparison.check();
                }
            }
        }
    });
}

TEST_CASE("weights in blocks, split: every tile gives a row the same bits alone and among others") {
    constexpr uint32_t kRows = 9, kN = 78;
    on_every_device([&](Context& context) {
        for (const DType w_type : {DType::q8, DType::q4})
            for (const uint32_t k : sweep({96u, 32u, 512u}, 1)) {
                Case c{kRows, kN, k, DType::f32, w_type, DType::f32, MatmulKernel::split};
                if (!runs(context, ops::matmul_shader(c.kernel), {c.x, c.w, c.y})) continue;
                check(context, c);
                const Matrix x = random_matrix(kRows, k, 1), bias = random_matrix(1, kN, 3);
                const BlockMatrix w(kN, k, 2, w_type);
                const Matrix expected = product(context, c, x, w, bias);
                for (const uint32_t rows : sweep({1u, 8u, 2u, 4u}, 2)) {
                    Matrix last = x;
                    last.values.erase(last.values.begin(), last.values.end() - ptrdiff_t(rows) * k);
                    last.rows = c.rows = rows;
                    const ops::MatmulArgs shape{.w = {.dtype = w_type, .n = kN, .k = k}, .rows = {.capacity = rows}};
                    for (c.tile = 0; c.tile < ops::matmul_tile_count(context.caps(), shape, c.kernel); ++c.tile) {
                        CAPTURE(rows);
                        CAPTURE(c.tile);
                        CAPTURE(name(w_type));
                        const Matrix y = product(context, c, last, w, bias);
                        Comparison comparison(DType::f32);
                        for (uint32_t r = 0; r < rows; ++r)
                            for (uint32_t o = 0; o < kN; ++o)
                                comparison.equal(r, o, y(r, o), expected(kRows - rows + r, o));
                        comparison.check();
                    }
                }
            }
    });
}

TEST_CASE("embeddings in blocks") {
    on_every_device([&](Context& context) {
        for (const DType w : {DType::q8, DType::q4})
            for (const DType y_type : {DType::f32, DType::f16})
                for (const uint32_t cols : {32u, 96u, 512u})
                    for (const uint32_t vocabulary : {1u, 64u, 130u}) {
                        if (!runs(context, *kernels::embed.shader, {y_type, w})) continue;
                        const BlockMatrix table(vocabulary, cols, cols, w);
                        const uint32_t rows = 19;
                        std::vector<uint32_t> ids(rows);
                        for (uint32_t i = 0; i < rows; ++i) ids[i] = i * 37 % vocabulary;
                        const auto id_buffer = upload(context, ids);
                        const auto weight = table.upload(context);
                        const auto out = blank(context, rows, cols, y_type);
                        const LiveRows live(context, rows, rows);
                        run(context, live, [&](Recorder& rec) {
                            ops::embed(rec, {.ids = *id_buffer,
                                             .positions = {},
                                             .table = weight.weight,
                                             .y = out,
                                             .scale = 2.0f,
                                             .rows = live.extent});
                        });
                        const Matrix y = download(context, out);
                        Comparison comparison(y_type);
                        for (uint32_t r = 0; r < rows; ++r)
                            for (uint32_t c = 0; c < cols; ++c)
                                comparison.equal(r, c, y(r, c), rounded(2.0f * table.values(ids[r], c), y_type));
                        comparison.check();
                    }
    });
}

TEST_CASE("gathered outputs keep their blocks") {
    on_every_device([](Context& context) {
        for (const DType dtype : {DType::q8, DType::q4})
            for (const uint32_t k : {32u, 160u})
                for (const uint32_t live : {0u, 1u, 70u, 128u}) {
                    const uint32_t n = 200, capacity = 128;
                    const BlockMatrix all(n, k, k + live, dtype);
                    std::vector<uint32_t> ids(capacity);
                    for (uint32_t i = 0; i < capacity; ++i) ids[i] = i * 77 % n;
                    BlockMatrix expected = all;
                    const size_t row_bytes = dragoman::size_bytes(dtype, k);
                    expected.bytes.assign(size_t(capacity) * row_bytes, std::byte{0});
                    expected.values.rows = capacity;
                    for (uint32_t i = 0; i < live; ++i)
                        std::copy_n(all.bytes.begin() + ptrdiff_t(ids[i] * row_bytes), row_bytes,
                                    expected.bytes.begin() + ptrdiff_t(i * row_bytes));
                    const auto from = all.upload(context), wanted = expected.upload(context);
                    const auto words = download<uint32_t>(context, *wanted.buffer);
                    const auto to = upload(context, std::vector<uint32_t>(words.size(), 0xabcdabcd));
                    const auto id_buffer = upload(context, ids);
                    const LiveRows count(context, live, capacity);
                    run(context, count, [&](Recorder& rec) {
                        ops::gather_outputs(rec, from.weight, *id_buffer,
                                            {.data = *to, .dtype = dtype, .n = capacity, .k = k}, count.extent);
                    });
                    CHECK((download<uint32_t>(context, *to) == words));
                }
    });
}

TEST_CASE("pack_block_panels streams: pieces equal the whole") {
    for (const DType dtype : {DType::q8, DType::q4}) {
        const BlockMatrix w(200, 64, 9, dtype);
        std::vector<std::byte> whole(ops::panel_bytes(200, 64, dtype)), pieces(whole.size());
        ops::pack_block_panels(dtype, w.bytes, 64, whole);
        size_t at = 0;
        const size_t row_bytes = dragoman::size_bytes(dtype, 64);
        for (uint32_t row = 0; row < 200; row += 128) {
            const uint32_t rows = std::min(128u, 200 - row);
            const size_t bytes = ops::panel_bytes(rows, 64, dtype);
            ops::pack_block_panels(dtype, std::span(w.bytes).subspan(row * row_bytes, rows * row_bytes), 64,
                                   std::span(pieces).subspan(at, bytes));
            at += bytes;
        }
        CHECK(at == whole.size());
        CHECK(whole == pieces);
    }
}

}  // namespace
}  // namespace dragoman::test::blocks_test
