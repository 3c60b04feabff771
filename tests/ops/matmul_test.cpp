// SPDX-License-Identifier: Apache-2.0
#include "ops/matmul.h"

#include <bit>

#include "check/reference.h"
#include "ops/kernels.h"
#include "ops/topk.h"
#include "support/op_test.h"
#include "support/sweep.h"

namespace dragoman::test::matmul_test {
namespace {

using ops::MatmulKernel;

struct Types {
    DType x, w, y;
    vulkan::VariantKey key() const { return {x, w, y}; }
};
constexpr Types kF32{DType::f32, DType::f32, DType::f32};
constexpr Types kAllTypes[] = {kF32,
                               {DType::f32, DType::f16, DType::f32},
                               {DType::f16, DType::f16, DType::f16},
                               {DType::f16, DType::f16, DType::f32}};
constexpr MatmulKernel kAllKernels[] = {MatmulKernel::tiled, MatmulKernel::texel, MatmulKernel::coopmat,
                                        MatmulKernel::coopmat2, MatmulKernel::split};

bool is_cooperative(MatmulKernel kernel) { return kernel == MatmulKernel::coopmat || kernel == MatmulKernel::coopmat2; }

bool can_run(const Context& context, MatmulKernel kernel, const Types& types) {
    if (is_cooperative(kernel) && types.w != DType::f16) return false;
    if (kernel == MatmulKernel::coopmat2 && types.x != DType::f16) return false;
    if (kernel == MatmulKernel::texel && !context.caps().is_cpu()) return false;
    if (!runs(context, ops::matmul_shader(kernel), types.key())) return false;
    if (!is_cooperative(kernel)) return true;
    const auto& caps = context.caps();
    if (kernel == MatmulKernel::coopmat ? ops::has_coopmat(caps) : ops::has_coopmat2(caps)) return true;
    MESSAGE("skipped cooperative matrices: no shape of ", caps.name, " fits");
    return false;
}

struct Case {
    uint32_t rows = 1, n = 1, k = 1;
    Types types = kF32;
    MatmulKernel kernel = MatmulKernel::tiled;
    Activation activation = Activation::none;
    float scale = 1.0f;
    bool bias = false, gate = false, residual = false, in_place = false;
    uint32_t capacity = 0;  // 0: rows
    uint32_t padding = 0;   // of every row
    bool indirect = false;
    bool parts = false;     // the matrix in several
    uint32_t tile = ops::kUsualTile;
};

struct Inputs {
    Matrix x, w, bias, gate, residual;
    explicit Inputs(const Case& c)
        : x(random_matrix(c.rows, c.k, 1, c.kernel == MatmulKernel::coopmat ? DType::f16 : c.types.x)),
          w(random_matrix(c.n, c.k, 2, c.types.w)), bias(random_matrix(1, c.n, 3)),
          gate(random_matrix(c.rows, c.n, 4, c.types.y)), residual(random_matrix(c.rows, c.n, 5, c.types.y)) {}
};

// The stride of a row: cooperative matrices need multiples of eight elements.
uint32_t stride(const Case& c, uint32_t cols, uint32_t padding) {
    return is_cooperative(c.kernel) ? (cols + 7) / 8 * 8 + padding * 8 : cols + padding;
}

// Each in a buffer of its own.
std::vector<DeviceWeight> in_parts(Context& context, const Matrix& w, DType dtype) {
    std::vector<DeviceWeight> parts;
    for (uint32_t begin = 0; begin < w.rows; begin += ops::kPartColumns) {
        Matrix part{std::min(w.rows - begin, ops::kPartColumns), w.cols, {}};
        const auto from = w.values.begin() + std::ptrdiff_t(size_t(begin) * w.cols);
        part.values.assign(from, from + std::ptrdiff_t(size_t(part.rows) * w.cols));
        parts.push_back(upload_weight(context, part, dtype));
    }
    return parts;
}

Matrix compute(Context& context, const Case& c, const Inputs& in) {
    const uint32_t capacity = std::max(c.rows, c.capacity);
    const auto x = upload(context, in.x, c.types.x, capacity, stride(c, c.k, c.padding));
    const auto w = upload_weight(context, in.w, c.types.w);
    const auto bias = upload(context, in.bias.values);
    const auto gate = upload(context, in.gate, c.types.y, capacity, stride(c, c.n, c.padding));
    const auto residual = upload(context, in.residual, c.types.y, capacity, stride(c, c.n, 2 * c.padding));
    const auto y = c.in_place ? residual : blank(context, capacity, c.n, c.types.y, stride(c, c.n, c.padding));
    const LiveRows live(context, c.rows, capacity, c.indirect);
    const auto product = [&](Recorder& rec, const Weight& weight, uint32_t column) {
        ops::matmul(rec,
                    {.x = x,
                     .w = weight,
                     .column = column,
                     .bias = c.bias ? BufferView(*bias) : BufferView(),
                     .activation = c.activation,
                     .gate = c.gate ? gate.tensor : Tensor(),
                     .residual = c.residual ? residual.tensor : Tensor(),
                     .y = y,
                     .scale = c.scale,
                     .rows = live.extent},
                    fitting(context, c.kernel, x, weight), c.tile);
    };
    const auto parts = in_parts(context, in.w, c.types.w);
    run(context, live, [&](Recorder& rec) {
        if (!c.parts) return product(rec, w.weight, 0);
        for (uint32_t column = 0; const DeviceWeight& part : parts) {
            product(rec, part.weight, column);
            column += part.weight.n;
        }
    });
    return download(context, y);
}

// The texel kernel unrolls its rows, and 16 take a CPU's driver ten seconds to compile: by day only the simplest ends
// have so many.
constexpr uint32_t kDayRows = 4;
bool by_night(const Case& c) {
    const bool simple = c.types.x == DType::f32 && c.types.w == DType::f32 && c.activation == Activation::none &&
                        !c.gate && !c.residual;
    return c.kernel == MatmulKernel::texel && std::max(c.rows, c.capacity) > kDayRows && !simple;
}
uint32_t day_rows(MatmulKernel kernel, uint32_t rows) {
    return kernel == MatmulKernel::texel && !full_sweep() ? 3 : rows;
}

void check(Context& context, const Case& c) {
    if (by_night(c) && !full_sweep()) return;
    if (!can_run(context, c.kernel, c.types)) return;
    const std::string what = fmt::format("rows {} n {} k {} types {} {} {} kernel {} activation {}", c.rows, c.n, c.k,
                                         name(c.types.x), name(c.types.w), name(c.types.y), int(c.kernel),
                                         int(c.activation));
    INFO(what);
    const Inputs in(c);
    const Matrix y = compute(context, c, in);
    Comparison comparison(c.types.y);
    for (uint32_t r = 0; r < c.rows; ++r) {
        for (uint32_t o = 0; o < c.n; ++o) {
            double sum = 0, magnitude = 0;
            for (uint32_t i = 0; i < c.k; ++i) {
                const double term = double(in.x(r, i)) * in.w(o, i);
                sum += term;
                magnitude += std::abs(term);
            }
            double expected = reference::activated(c.scale * sum + (c.bias ? in.bias(0, o) : 0), c.activation);
            if (c.gate) expected *= in.gate(r, o);
            if (c.residual) expected += in.residual(r, o);
            comparison.close(r, o, y(r, o), expected, 1.2 * std::abs(c.scale) * magnitude + 2);
        }
    }
    comparison.untouched(y, c.rows, c.n);
    comparison.check();
}

TEST_CASE("matmul over odd shapes, every kernel and type") {
    constexpr uint32_t kRows[] = {65, 3, 1, 63, 64, 130};
    constexpr uint32_t kShapes[][2] = {{1, 1}, {7, 63}, {63, 64}, {64, 65}, {65, 7}, {100, 100}, {512, 64}, {100, 512}};
    on_every_device([&](Context& context) {
        for (const Types& types : kAllTypes)
            for (const MatmulKernel kernel : kAllKernels)
                for (const uint32_t rows : sweep(kRows, 3))
                    for (const auto& [n, k] : kShapes)
                        check(context, {.rows = rows, .n = n, .k = k, .types = types, .kernel = kernel});
        check(context, {.rows = 65, .n = 512, .k = 512, .kernel = MatmulKernel::tiled});
        check(context, {.rows = 65, .n = 512, .k = 512, .kernel = MatmulKernel::texel});
    });
}

struct Cooperative {
    MatmulKernel kernel;
    Types types;
};
constexpr Cooperative kCooperative[] = {{MatmulKernel::coopmat, kAllTypes[2]},
                                        {MatmulKernel::coopmat, kAllTypes[1]},
                                        {MatmulKernel::coopmat, kAllTypes[3]},
                                        {MatmulKernel::coopmat2, kAllTypes[2]},
                                        {MatmulKernel::coopmat2, kAllTypes[3]}};

TEST_CASE("matmul on cooperative matrices over many rows: every tile, and a row does not depend on its neighbours") {
    on_every_device([&](Context& context) {
        for (const auto& [kernel, types] : kCooperative) {
            Case c{.n = 130, .k = 67, .types = types, .kernel = kernel, .bias = true, .residual = true};
            for (const uint32_t rows : {9u, 33u, 300u}) {
                c.rows = rows;
                check(context, c);
            }
            if (!can_run(context, c.kernel, types)) continue;
            c.rows = 300;
            const Inputs in(c);
            const Matrix all = compute(context, c, in);
            for (const uint32_t rows : {1u, 17u, 130u}) {
                Inputs first = in;
                for (Matrix* m : {&first.x, &first.gate, &first.residual}) {
                    m->values.resize(size_t(rows) * m->cols);
                    m->rows = rows;
                }
                Case few = c;
                few.rows = rows;
                few.capacity = 300;
                const Matrix y = compute(context, few, first);
                Comparison comparison(types.y);
                for (uint32_t r = 0; r < rows; ++r)
                    for (uint32_t o = 0; o < c.n; ++o) comparison.equal(r, o, y(r, o), all(r, o));
                comparison.check();
            }
        }
    });
}

// The ends that a fused output can have, each with the others, where whole matrices do not cover the outputs.
TEST_CASE("matmul on cooperative matrices with every end, over ragged edges") {
    on_every_device([&](Context& context) {
        for (const auto& [kernel, types] : kCooperative) {
            for (const uint32_t rows : {1u, 15u, 16u, 31u, 64u, 129u, 300u}) {
                Case c{.rows = rows, .types = types, .kernel = kernel, .capacity = rows + 7};
                for (uint32_t options = rows % 4; options < 16; options += 3) {
                    c.n = options % 2 ? 65 : 127;
                    c.k = 31 + options;
                    c.activation = Activation((options + rows) % (uint32_t(Activation::none) + 1));
                    c.scale = options & 8 ? -0.6f : 1.0f;
                    c.bias = options & 1;
                    c.gate = options & 2;
                    c.residual = options & 4;
                    c.padding = options % 5;
                    c.indirect = options & 1;
                    check(context, c);
                }
            }
        }
    });
}

// Deep sums, with more inputs than one of the tiles' halves holds, and a layer's usual widths.
TEST_CASE("matmul on cooperative matrices at a layer's size") {
    on_every_device([&](Context& context) {
        for (const MatmulKernel kernel : {MatmulKernel::coopmat, MatmulKernel::coopmat2}) {
            check(context, {.rows = 40,
                            .n = 192,
                            .k = 512,
                            .types = kAllTypes[2],
                            .kernel = kernel,
                            .activation = Activation::relu,
                            .bias = true});
            check(context, {.rows = 33,
                            .n = 64,
                            .k = 2048,
                            .types = kAllTypes[3],
                            .kernel = kernel,
                            .bias = true,
                            .residual = true});
        }
    });
}

TEST_CASE("matmul with every activation") {
    on_every_device([&](Context& context) {
        for (uint32_t a = 0; a <= uint32_t(Activation::none); ++a)
            for (const Types& types : sweep({kAllTypes[0], kAllTypes[2]}, 1))
                check(context, {.rows = day_rows(kAllKernels[a % std::size(kAllKernels)], 5),
                                .n = 65,
                                .k = 7,
                                .types = types,
                                .kernel = kAllKernels[a % std::size(kAllKernels)],
                                .activation = Activation(a),
                                .bias = true});
    });
}

TEST_CASE("matmul with fused bias, gate, residual and scale") {
    on_every_device([&](Context& context) {
        for (const Types& types : sweep({kAllTypes[0], kAllTypes[2], kAllTypes[1]}, 1)) {
            for (const MatmulKernel kernel : kAllKernels) {
                for (const uint32_t options : sweep({0u, 7u, 5u, 1u, 2u, 3u, 4u, 6u}, 3)) {
                    check(context, {.rows = day_rows(kernel, 9),
                                    .n = 70,
                                    .k = 33,
                                    .types = types,
                                    .kernel = kernel,
                                    .activation = Activation::swish,
                                    .scale = options == 0 ? -0.75f : 1.0f,
                                    .bias = (options & 1) != 0,
                                    .gate = (options & 2) != 0,
                                    .residual = (options & 4) != 0,
                                    .padding = 3});
                }
                check(context, {.rows = day_rows(kernel, 67),
                                .n = 65,
                                .k = 64,
                                .types = types,
                                .kernel = kernel,
                                .bias = true,
                                .residual = true,
                                .in_place = true});
            }
        }
    });
}

TEST_CASE("matmul of a matrix in parts") {
    on_every_device([&](Context& context) {
        for (const Types& types : sweep(kAllTypes, 2))
            for (const MatmulKernel kernel : kAllKernels)
                for (const bool odd : sweep({true, false}, 1))
                    for (const uint32_t rows : {3u, 65u})
                        check(context, {.rows = rows,
                                        .n = odd ? 301u : 384u,
                                        .k = 33,
                                        .types = types,
                                        .kernel = kernel,
                                        .activation = Activation::swish,
                                        .bias = true,
                                        .gate = true,
                                        .residual = odd,
                                        .padding = odd ? 3u : 0u,
                                        .parts = true});
    });
}

TEST_CASE("matmul leaves rows beyond the live ones alone, direct and indirect") {
    on_every_device([&](Context& context) {
        for (const MatmulKernel kernel : kAllKernels)
            for (const bool indirect : {false, true})
                for (const uint32_t rows : {0u, 1u, 8u, 37u, 64u})
                    check(context, {.rows = rows,
                                    .n = 66,
                                    .k = 65,
                                    .kernel = kernel,
                                    .bias = true,
                                    .capacity = 130,
                                    .padding = 1,
                                    .indirect = indirect});
    });
}

// Compares with a plain loop over each 64 columns; the sum within rounding of f32.
void check_records(const Matrix& y, uint32_t rows, uint32_t n, const std::vector<uint32_t>& words) {
    const uint32_t tiles = (n + 63) / 64;
    Comparison exact(DType::f32), sums(DType::f32);
    for (uint32_t r = 0; r < rows; ++r) {
        for (uint32_t t = 0; t < tiles; ++t) {
            uint32_t best = 0xffffffff;
            double sum = 0;
            for (uint32_t c = t * 64; c < std::min(n, t * 64 + 64); ++c)
                if (y(r, c) > -1e30f && (best == 0xffffffff || y(r, c) > y(r, best))) best = c;
            const float maximum = best == 0xffffffff ? -3.402823466e38f : y(r, best);
            for (uint32_t c = t * 64; c < std::min(n, t * 64 + 64); ++c)
                if (y(r, c) > -1e30f) sum += std::exp(double(y(r, c)) - maximum);
            const auto word = [&](uint32_t w) { return words[(r * 3 + w) * tiles + t]; };
            exact.equal(r, t, std::bit_cast<float>(word(0)), maximum);
            exact.equal(r, t, float(word(2)), float(best));
            sums.close(r, t, std::bit_cast<float>(word(1)), sum, sum);
        }
    }
    exact.check();
    sums.check();
}

TEST_CASE("matmul writes the records that record_columns would, bit for bit, with or without its outputs") {
    constexpr Types kLogits[] = {kAllTypes[0], kAllTypes[1], kAllTypes[3]};
    on_every_device([&](Context& context) {
        for (const Types& types : sweep(kLogits, 1))
            for (const MatmulKernel kernel : kAllKernels)
                for (const uint32_t rows : sweep({3u, 67u, 1u, 5u, 8u}, 2))
                    for (const uint32_t n : {1u, 63u, 64u, 65u, 200u}) {
                        if (!can_run(context, kernel, types) || rows > day_rows(kernel, rows)) continue;
                        const uint32_t k = 20;
                        Matrix bias = random_matrix(1, n, 3);
                        for (uint32_t c = 7; c < n; c += 9) bias.values[c] = -3.0e38f;            // disabled
                        for (uint32_t c = 128; c < std::min(n, 192u); ++c) bias.values[c] = -2e30f;  // a tile of them
                        Matrix weights = random_matrix(n, k, 2, types.w);
                        for (uint32_t c = 1; c < n; c += 5)  // equal outputs
                            std::copy_n(weights.values.begin(), k, weights.values.begin() + c * k);
                        const auto x = upload(context, random_matrix(rows, k, 1, types.x), types.x, rows + 1, k + 4);
                        const auto w = upload_weight(context, weights, types.w);
                        const auto parts = in_parts(context, weights, types.w);
                        const auto dbias = upload(context, bias.values);
                        const uint32_t cols = is_cooperative(kernel) ? (n + 3) / 4 * 4 : n + 3;
                        const auto y = blank(context, rows + 1, n, DType::f32, cols);
                        const auto unused = blank(context, rows + 1, n, DType::f32, cols);
                        const uint64_t words = ops::column_records_bytes(rows + 1, n) / 4;
                        std::vector<std::shared_ptr<Buffer>> records;
                        for (int i = 0; i < 4; ++i) records.push_back(upload(context, std::vector<uint32_t>(words, 5)));
                        const LiveRows live(context, rows, rows + 1);
                        run(context, live, [&](Recorder& rec) {
                            ops::MatmulArgs args{.x = x, .w = w.weight, .bias = *dbias, .y = y, .rows = live.extent};
                            args.records = *records[0];
                            ops::matmul(rec, args, kernel);
                            ops::record_columns(rec, y, *records[1], live.extent);
                            args.y = unused;
                            args.records = *records[2];
                            args.y_unused = true;
                            ops::matmul(rec, args, kernel);
                            args.y = y;  // which record_columns reads where the kernel does not write records
                            args.y_unused = false;
                            args.records = *records[3];
                            for (const DeviceWeight& part : parts) {
                                args.w = part.weight;
                                ops::matmul(rec, args, kernel);
                                args.column += part.weight.n;
                            }
                        });
                        CAPTURE(int(kernel));
                        CAPTURE(rows);
                        CAPTURE(n);
                        const auto found = download<uint32_t>(context, *records[0]);
                        check_records(download(context, y), rows, n, found);
                        // coopmat2 adds up in the driver's order.
                        if (kernel != MatmulKernel::coopmat2) CHECK(found == download<uint32_t>(context, *records[1]));
                        CHECK(found == download<uint32_t>(context, *records[2]));
                        CHECK(found == download<uint32_t>(context, *records[3]));
                        CHECK(std::all_of(found.end() - ptrdiff_t(words / (rows + 1)), found.end(),
                                          [](uint32_t word) { return word == 5; }));
                    }
    });
}

TEST_CASE("tiled and texel give the same bits, and a row does not depend on its neighbours") {
    constexpr uint32_t kRows = 130;
    on_every_device([&](Context& context) {
        for (const uint32_t k : sweep({100u, 103u}, 1)) {
            Case c{.rows = kRows,
                   .n = 130,
                   .k = k,
                   .kernel = MatmulKernel::tiled,
                   .activation = Activation::gelu,
                   .scale = 0.3f,
                   .bias = true,
                   .gate = true,
                   .residual = true};
            const Inputs in(c);
            const Matrix expected = compute(context, c, in);
            for (const uint32_t rows : sweep({65u, 3u, 1u, 31u, 2u, 5u, 8u, 64u, 130u}, 4)) {
                Inputs last = in;  // its last `rows` rows
                for (Matrix* m : {&last.x, &last.gate, &last.residual}) {
                    m->values.erase(m->values.begin(), m->values.end() - ptrdiff_t(rows) * m->cols);
                    m->rows = rows;
                }
                c.rows = rows;
                for (const MatmulKernel kernel : {MatmulKernel::tiled, MatmulKernel::texel}) {
                    if (!can_run(context, kernel, c.types) || rows > day_rows(kernel, rows)) continue;
                    CAPTURE(k);
                    CAPTURE(rows);
                    CAPTURE(int(kernel));
                    c.kernel = kernel;
                    const Matrix y = compute(context, c, last);
                    Comparison comparison(DType::f32);
                    for (uint32_t r = 0; r < rows; ++r)
                        for (uint32_t o = 0; o < c.n; ++o)
                            comparison.equal(r, o, y(r, o), expected(kRows - rows + r, o));
                    comparison.check();
                }
            }
        }
    });
}

TEST_CASE("split: every tile over every number of rows and ragged inputs gives a row the same bits") {
    constexpr uint32_t kRows = 9;
    on_every_device([&](Context& context) {
        for (const Types& types : sweep({kAllTypes[0], kAllTypes[3]}, 1))
            for (const uint32_t k : sweep({135u, 1u, 31u, 64u, 300u}, 2)) {
                Case c{.rows = kRows, .n = 78, .k = k, .types = types, .kernel = MatmulKernel::split, .bias = true};
                check(context, c);
                if (!can_run(context, c.kernel, types)) continue;
                const Inputs in(c);
                const Matrix expected = compute(context, c, in);
                for (uint32_t rows = 1; rows <= kRows; ++rows) {
                    Inputs last = in;  // its last `rows` rows
                    last.x.values.erase(last.x.values.begin(), last.x.values.end() - ptrdiff_t(rows) * k);
                    for (Matrix* m : {&last.x, &last.gate, &last.residual}) m->rows = rows;
                    c.rows = rows;
                    const ops::MatmulArgs shape{.w = {.dtype = types.w, .n = c.n, .k = k}, .rows = {.capacity = rows}};
                    const uint32_t tiles = ops::matmul_tile_count(context.caps(), shape, c.kernel);
                    REQUIRE(tiles > 0);
                    // Every tile once for every number of rows that tiles have; 3, 5, 6 and 7 rows leave some unused.
                    for (c.tile = 0; c.tile < (std::has_single_bit(rows) ? tiles : 1); ++c.tile) {
                        CAPTURE(k);
                        CAPTURE(rows);
                        CAPTURE(c.tile);
                        const Matrix y = compute(context, c, last);
                        Comparison comparison(types.y);
                        for (uint32_t r = 0; r < rows; ++r)
                            for (uint32_t o = 0; o < c.n; ++o)
                                comparison.equal(r, o, y(r, o), expected(kRows - rows + r, o));
                        comparison.untouched(y, rows, c.n);
                        comparison.check();
                    }
                }
            }
    });
}

}  // namespace
}  // namespace dragoman::test::matmul_test
