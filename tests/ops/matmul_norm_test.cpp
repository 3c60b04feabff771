// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "block_matrix.h"
#include "check/reference.h"
#include "ops/kernels.h"
#include "ops/matmul.h"
#include "ops/matmul_tiles.h"
#include "support/op_test.h"
#include "support/sweep.h"

namespace dragoman::test::matmul_norm_test {
namespace {

using ops::MatmulKernel;

constexpr DType f32 = DType::f32, f16 = DType::f16, q8 = DType::q8, q4 = DType::q4;

struct Case {
    uint32_t rows = 1, n = 70, k = 64;
    DType x = f32, w = f32, y = f32;
    MatmulKernel kernel = MatmulKernel::split;
    bool rms = false, residual = false, indirect = false;
    float offset = 0.0f;  // a mean far from zero
    uint32_t capacity = 0, padding = 0;
    uint32_t tile = ops::kUsualTile;
    vulkan::VariantKey key() const { return {x, w, y}; }
};

struct Output {
    Matrix y, normed;
    uint32_t dispatches = 0;
};

struct Data {
    std::optional<BlockMatrix> blocks;
    Matrix x, w, gamma, beta, bias, residual;
    explicit Data(const Case& c)
        : blocks(c.w == q8 || c.w == q4 ? std::optional<BlockMatrix>(std::in_place, c.n, c.k, 2, c.w) : std::nullopt),
          x(random_matrix(c.rows, c.k, 1)), w(blocks ? blocks->values : random_matrix(c.n, c.k, 2, c.w)),
          gamma(random_matrix(1, c.k, 3)), beta(random_matrix(1, c.k, 4)), bias(random_matrix(1, c.n, 5)),
          residual(random_matrix(c.rows, c.n, 6, c.y)) {
        for (float& value : x.values) value = rounded(value + c.offset, c.x);
    }
};
constexpr float kEpsilon = 1e-3f;

Output compute(Context& context, const Case& c, const Data& data) {
    const uint32_t capacity = std::max(c.rows, c.capacity);
    const auto x = upload(context, data.x, c.x, capacity, c.k + c.padding);
    const auto w = data.blocks ? data.blocks->upload(context) : upload_weight(context, data.w, c.w);
    const auto gamma = upload(context, data.gamma.values), beta = upload(context, data.beta.values),
               bias = upload(context, data.bias.values);
    const auto residual = upload(context, data.residual, c.y, capacity);
    const auto y = blank(context, capacity, c.n, c.y), normed = blank(context, capacity, c.k, c.x, c.k + c.padding);
    const LiveRows live(context, c.rows, capacity, c.indirect);
    Recorder recorder(context.shared_from_this());
    if (live.table) live.table->record_update(recorder);
    ops::matmul(
        recorder,
        {.x = x,
         .w = w.weight,
         .bias = *bias,
         .residual = c.residual ? residual.tensor : Tensor(),
         .y = y,
         .norm = {.gamma = *gamma, .beta = c.rms ? BufferView() : BufferView(*beta), .epsilon = kEpsilon, .y = normed},
         .rows = live.extent},
        fitting(context, c.kernel, normed, w.weight), c.tile);
    const auto list = recorder.finish();
    if (live.table) live.table->upload(context);
    context.wait(context.submit(*list));
    return {download(context, y), download(context, normed), list->dispatches() - (c.indirect ? 1 : 0)};
}

void check_against_loops(const Case& c, const Data& data, const Output& out) {
    Comparison norms(c.x), products(c.y);
    for (uint32_t r = 0; r < c.rows; ++r) {
        const auto norm = reference::norm(0, c.k, !c.rms, kEpsilon, [&](uint32_t i) { return double(data.x(r, i)); });
        std::vector<double> exact(c.k);
        for (uint32_t i = 0; i < c.k; ++i) {
            exact[i] = norm(data.x(r, i)) * data.gamma(0, i) + (c.rms ? 0.0 : data.beta(0, i));
            norms.close(r, i, out.normed(r, i), exact[i],
                        (std::abs(data.x(r, i)) + std::abs(norm.mean)) * norm.inverse + 2);
        }
        for (uint32_t o = 0; o < c.n; ++o) {
            // Sums of the row as it was stored or, where a compiler leaves out the conversion to float16 and back, of
            // the exact one.
            double sum = data.bias(0, o) + (c.residual ? data.residual(r, o) : 0.0), unrounded = sum, magnitude = 2;
            for (uint32_t i = 0; i < c.k; ++i) {
                const double term = double(out.normed(r, i)) * data.w(o, i);
                sum += term;
                unrounded += exact[i] * data.w(o, i);
                magnitude += std::abs(term);
            }
            const double y = out.y(r, o);
            const bool rounded = c.x == f32 || std::abs(y - sum) <= std::abs(y - unrounded);
            products.close(r, o, out.y(r, o), rounded ? sum : unrounded, 1.2 * magnitude);
        }
    }
    norms.untouched(out.normed, c.rows, c.k);
    products.untouched(out.y, c.rows, c.n);
    norms.check();
    products.check();
}

void check(Context& context, const Case& c, uint32_t dispatches = 1) {
    if (c.kernel == MatmulKernel::coopmat && !ops::has_coopmat(context.caps())) return;
    if (!runs(context, ops::matmul_shader(c.kernel), c.key())) return;
    const std::string what = fmt::format("rows {} n {} k {} types {} {} {} kernel {} rms {}", c.rows, c.n, c.k,
                                         name(c.x), name(c.w), name(c.y), int(c.kernel), c.rms);
    INFO(what);
    const Data data(c);
    const Output out = compute(context, c, data);
    check_against_loops(c, data, out);
    CHECK(out.dispatches == dispatches);
}

// Runs as a CPU, whose tiles differ, and as a GPU.
template <class F>
void on_all(F&& f) {
    for (const bool gpu_kernels : {false, true}) on_every_device(f, gpu_kernels);
}

}  // namespace

TEST_CASE("a product normalises its inputs: rows and widths") {
    on_all([](Context& context) {
        for (const uint32_t rows : sweep({3u, 1u, 2u, 8u}, 2))
            for (const uint32_t k : {1u, 30u, 99u, 514u}) check(context, {.rows = rows, .k = k});
        for (const uint32_t rows : sweep({5u, 1u}, 1))
            for (const uint32_t k : {5u, 512u}) check(context, {.rows = rows, .k = k, .rms = true});
    });
}

TEST_CASE("a product normalises its inputs in every type") {
    on_all([](Context& context) {
        constexpr DType kTypes[][3] = {{f32, f16, f32}, {f16, f16, f16}, {f16, f16, f32},
                                       {f32, q8, f32},  {f16, q8, f16},  {f16, q8, f32},
                                       {f32, q4, f32},  {f16, q4, f16},  {f16, q4, f32}};
        for (const auto& [x, w, y] : kTypes)
            for (const uint32_t k : {256u, 77u})
                for (const uint32_t rows : sweep({3u, 8u}, 1))
                    if (k != 77 || (w == f16 && rows == 3))
                        check(context, {.rows = rows,
                                        .n = 130,
                                        .k = k,
                                        .x = x,
                                        .w = w,
                                        .y = y,
                                        .rms = rows == 3,
                                        .residual = true});
    });
}

TEST_CASE("a product normalises its inputs: strides, means far from zero, one output, rows that are not live") {
    on_all([](Context& context) {
        check(context, {.rows = 3, .n = 1, .padding = 8});
        check(context, {.rows = 3, .padding = 3});
        check(context, {.rows = 4, .n = 200, .k = 512, .offset = 30.0f});
        check(context, {.rows = 2, .n = 9000, .k = 96});
        for (const bool indirect : {false, true})
            for (const uint32_t rows : {0u, 1u, 5u, 8u})
                check(context, {.rows = rows, .indirect = indirect, .capacity = 8, .padding = 4});
    });
}

TEST_CASE("a normalised row has the same bits in every tile, alone and among others") {
    on_all([](Context& context) {
        for (const DType w : sweep({f32, q8, f16}, 1)) {
            if (!runs(context, *kernels::matmul_split.shader, {f32, w, f32})) continue;
            constexpr uint32_t k = 480;
            Case c{.rows = 8, .n = 78, .k = k, .w = w};
            const Data data(c);
            const Output all = compute(context, c, data);
            const auto tiles = ops::split_tiles(context.caps(), {.dtype = w, .n = c.n, .k = k}, 8, false).size();
            Comparison same(f32);
            const auto compare = [&](const Output& some, uint32_t rows) {
                for (uint32_t r = 0; r < rows; ++r) {
                    for (uint32_t o = 0; o < c.n; ++o) same.equal(r, o, some.y(r, o), all.y(r, o));
                    for (uint32_t i = 0; i < k; ++i) same.equal(r, i, some.normed(r, i), all.normed(r, i));
                }
            };
            for (c.tile = 0; c.tile < tiles; ++c.tile)
                for (c.rows = 1; c.rows <= 8; c.rows += 7) {
                    Data few = data;
                    few.x.rows = c.rows;
                    few.x.values.resize(size_t(c.rows) * k);
                    few.residual.rows = c.rows;
                    compare(compute(context, c, few), c.rows);
                }
            same.check();
        }
    });
}

TEST_CASE("a product on cooperative matrices normalises its inputs") {
    on_all([](Context& context) {
        for (const DType y : {f16, f32}) {
            const Case plain{
                .rows = 40, .n = 200, .k = 136, .x = f16, .w = f16, .y = y, .kernel = MatmulKernel::coopmat};
            const auto changed = [&](auto&& change) {
                Case c = plain;
                change(c);
                return c;
            };
            check(context, plain);
            if (y == f32) continue;
            check(context, changed([](Case& c) { c.rms = true; }));
            check(context, changed([](Case& c) { c.k = 520, c.n = 72, c.rows = 3, c.capacity = 50, c.padding = 8; }));
            check(context, changed([](Case& c) { c.k = 8, c.rows = 130, c.indirect = true; }));
            check(context, changed([](Case& c) { c.residual = true; }), 2);
            check(context, changed([](Case& c) { c.k = 132, c.padding = 4; }), 2);
            check(context, changed([](Case& c) { c.capacity = 1000; }), 2);
        }
    });
}

TEST_CASE("before other kernels, and products of very many outputs, the norm is a dispatch") {
    on_every_device([](Context& context) {
        check(context, {.rows = 5, .kernel = MatmulKernel::tiled, .padding = 3}, 2);
        if (context.caps().is_cpu()) check(context, {.rows = 5, .kernel = MatmulKernel::texel, .padding = 4}, 2);
        check(context, {.n = 65537, .k = 4}, 2);
    });
}

}  // namespace dragoman::test::matmul_norm_test
