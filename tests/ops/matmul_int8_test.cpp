// SPDX-License-Identifier: Apache-2.0
#include "ops/matmul_int8.h"

#include <cmath>

#include "check/reference.h"
#include "ops/kernels.h"
#include "support/op_test.h"
#include "support/sweep.h"

namespace dragoman::test::matmul_int8_test {
namespace {

using ops::Int8Products;
using ops::MatmulKernel;

struct Types {
    DType x, y;
};
constexpr Types kF32{DType::f32, DType::f32};
constexpr Types kAllTypes[] = {kF32, {DType::f16, DType::f16}, {DType::f16, DType::f32}};
struct Kernel {
    MatmulKernel kernel;
    Int8Products products;
};
constexpr Kernel kTiled{MatmulKernel::tiled, Int8Products::plain};
constexpr Kernel kAllKernels[] = {kTiled,
                                  {MatmulKernel::tiled, Int8Products::packed},
                                  {MatmulKernel::texel, Int8Products::plain}};
std::string kernel_name(const Kernel& kernel) { return fmt::format("{} {}", int(kernel.kernel), int(kernel.products)); }

bool can_run(const Context& context, const Kernel& kernel, const Types& types) {
    // It reads single elements, where products read quads and need no storage of 16 bits.
    if (!runs(context, *kernels::row_maxima.shader, types.x)) return false;
    const vulkan::Shader& shader = kernel.kernel == MatmulKernel::texel ? *kernels::matmul_int8_texel.shader
                                                                        : *kernels::matmul_tiled.shader;
    return runs(context, shader, {types.x, kernel.products == Int8Products::packed ? DType::i8 : DType::i32, types.y});
}

struct Case {
    uint32_t rows = 1, n = 1, k = 1;
    Types types = kF32;
    Kernel kernel = kTiled;
    Activation activation = Activation::none;
    float input_scale = 50.0f;  // 0: dynamic
    bool panel_scales = false;  // the scale grows by a quarter from panel to panel
    uint32_t divisor = 1;       // of the row groups, when dynamic
    bool alone = false;         // dynamic: each row has its own scale
    float scale = 1.0f;
    bool bias = false, gate = false, residual = false;
    uint32_t column = 0;    // of the first output in y, which is 5 columns wider
    uint32_t capacity = 0;  // 0: rows
    uint32_t padding = 0;   // of every row
    bool indirect = false;
    bool extreme = false;   // every product is 127 * 127 or 127 * -128
};

std::vector<int8_t> random_int8(uint32_t count, uint32_t seed) {
    std::mt19937 engine(seed);
    std::vector<int8_t> values(count);
    for (int8_t& value : values) value = int8_t(engine() % 256);
    return values;
}

struct DeviceInt8 {
    std::shared_ptr<Buffer> buffer;
    Weight weight;
};

DeviceInt8 upload_int8(Context& context, const std::vector<int8_t>& rows, uint32_t k) {
    const auto n = uint32_t(rows.size() / k);
    std::vector<uint32_t> words(ops::panel_bytes(n, k, DType::i8) / 4);
    ops::pack_int8_panels(rows, k, std::as_writable_bytes(std::span(words)));
    auto buffer = upload(context, words);
    const Weight weight{.data = *buffer, .dtype = DType::i8, .n = n, .k = k};
    return {std::move(buffer), weight};
}

struct Inputs {
    Matrix x, units, bias, gate, residual;
    std::vector<int8_t> w;
    std::vector<uint32_t> map;
    explicit Inputs(const Case& c)
        : x(random_matrix(c.rows, c.k, 1, c.types.x, 3.0f)), units(random_matrix(1, c.n, 6, DType::f32, 0.001f)),
          bias(random_matrix(1, c.column + c.n + 5, 3)), gate(random_matrix(c.rows, c.column + c.n + 5, 4, c.types.y)),
          residual(random_matrix(c.rows, c.column + c.n + 5, 5, c.types.y)), w(random_int8(c.n * c.k, 2)) {
        // Three rows to a group, as cache rows of a search with gaps, in any order of groups.
        for (uint32_t r = 0; r < c.rows; ++r)
            map.push_back(c.alone ? r : ((r / 3 * 7) % 64) * c.divisor + r % 3 % c.divisor);
        if (!c.extreme) return;
        for (float& value : x.values) value = 9.0f;
        for (uint32_t o = 0; o < c.n; ++o)
            for (uint32_t i = 0; i < c.k; ++i) w[o * c.k + i] = o % 2 ? int8_t(-128) : int8_t(127);
    }
};

constexpr uint32_t kGroups = 64;

float scale_of(const Case& c, uint32_t output) {
    return c.panel_scales ? c.input_scale * (1.0f + 0.25f * float(output / ops::kPanel)) : c.input_scale;
}

Matrix compute(Context& context, const Case& c, const Inputs& in) {
    const uint32_t capacity = std::max(c.rows, c.capacity), width = c.column + c.n + 5;
    const auto x = upload(context, in.x, c.types.x, capacity, c.k + c.padding);
    const auto w = upload_int8(context, in.w, c.k);
    std::vector<float> scales;
    for (uint32_t first = 0; first < c.n; first += ops::kPanel) scales.push_back(scale_of(c, first));
    const auto scale_buffer = upload(context, scales);
    const auto units = upload(context, in.units.values), bias = upload(context, in.bias.values),
               map = upload(context, in.map),
               maxima = upload(context, std::vector<float>(std::max(kGroups, capacity), 1e9f));
    const auto gate = upload(context, in.gate, c.types.y, capacity, width + c.padding);
    const auto residual = upload(context, in.residual, c.types.y, capacity, width + 2 * c.padding);
    const auto y = blank(context, capacity, width, c.types.y, width + c.padding);
    const LiveRows live(context, c.rows, capacity, c.indirect);
    run(context, live, [&](Recorder& rec) {
        const ops::RowGroups groups = c.alone ? ops::RowGroups() : ops::RowGroups{.map = *map, .divisor = c.divisor};
        const bool dynamic = c.input_scale == 0;
        if (dynamic) ops::row_maxima(rec, x, groups, *maxima, live.extent);
        ops::matmul_int8(rec,
                         {.x = x,
                          .input_scale = c.panel_scales ? 0.0f : c.input_scale,
                          .maxima = dynamic ? BufferView(*maxima) : BufferView(),
                          .row_groups = dynamic ? groups : ops::RowGroups(),
                          .panel_scales = c.panel_scales ? BufferView(*scale_buffer) : BufferView(),
                          .w = w.weight,
                          .units = *units,
                          .column = c.column,
                          .bias = c.bias ? BufferView(*bias) : BufferView(),
                          .activation = c.activation,
                          .gate = c.gate ? gate.tensor : Tensor(),
                          .residual = c.residual ? residual.tensor : Tensor(),
                          .y = y,
                          .scale = c.scale,
                          .rows = live.extent},
                         fitting(context, c.kernel.kernel, x, w.weight), c.kernel.products);
    });
    return download(context, y);
}

int32_t int8_of(float x, float scale) {
    const float scaled = x * scale;  // in f32, as Marian has it; nearbyint rounds to even
    return int32_t(std::min(127.0f, std::max(-127.0f, std::nearbyint(scaled))));
}

// The texel kernel unrolls its rows, and 16 take a CPU's driver ten seconds to compile: by day only the simplest ends
// have so many.
constexpr uint32_t kDayRows = 4;
bool by_night(const Case& c) {
    const bool simple = c.types.x == DType::f32 && c.activation == Activation::none && !c.gate && !c.residual &&
                        !c.panel_scales && c.input_scale != 0;
    return c.kernel.kernel == MatmulKernel::texel && std::max(c.rows, c.capacity) > kDayRows && !simple;
}
uint32_t day_rows(const Kernel& kernel, uint32_t rows) {
    return kernel.kernel == MatmulKernel::texel && !full_sweep() ? 3 : rows;
}

void check(Context& context, const Case& c) {
    if (!can_run(context, c.kernel, c.types) || (by_night(c) && !full_sweep())) return;
    const std::string what = fmt::format("rows {} n {} k {} types {} {} kernel {} scale {}", c.rows, c.n, c.k,
                                         name(c.types.x), name(c.types.y), kernel_name(c.kernel), c.input_scale);
    INFO(what);
    const Inputs in(c);
    const Matrix y = compute(context, c, in);
    std::vector<float> largest(std::max(kGroups, c.rows), 0.0f);
    for (uint32_t r = 0; r < c.rows; ++r)
        for (uint32_t i = 0; i < c.k; ++i) {
            float& group = largest[in.map[r] / c.divisor];
            group = std::max(group, std::abs(in.x(r, i)));
        }
    Comparison comparison(c.types.y);
    for (uint32_t r = 0; r < c.rows; ++r) {
        const float most = largest[in.map[r] / c.divisor];
        const bool dynamic = c.input_scale == 0;
        std::vector<int32_t> q(c.k);
        for (uint32_t o = 0; o < c.n; ++o) {
            if (o % ops::kPanel == 0) {
                const float input_scale = !dynamic ? scale_of(c, o) : most > 0 ? 127.0f / most : 0.0f;
                for (uint32_t i = 0; i < c.k; ++i) q[i] = int8_of(in.x(r, i), input_scale);
            }
            int64_t sum = 0;
            for (uint32_t i = 0; i < c.k; ++i) sum += q[i] * int32_t(in.w[o * c.k + i]);
            const double unit = double(in.units(0, o)) * c.scale * (dynamic ? double(most) / 127 : 1.0);
            const uint32_t column = c.column + o;
            const bool plain = c.types.y == DType::f32 && !dynamic && c.activation == Activation::none;
            if (plain && !c.gate && !c.residual) {  // to the bit: a product and a sum in f32
                const float factor = in.units(0, o) * c.scale;
                const float product = float(int32_t(sum)) * factor;
                comparison.equal(r, column, y(r, column), product + (c.bias ? in.bias(0, column) : 0.0f));
                continue;
            }
            double expected = reference::activated(double(sum) * unit + (c.bias ? in.bias(0, column) : 0),
                                                   c.activation);
            if (c.gate) expected *= in.gate(r, column);
            if (c.residual) expected += in.residual(r, column);
            // No error from adding up: a wrong unit of the integer sum must show.
            comparison.close(r, column, y(r, column), expected, std::min(std::abs(double(sum) * unit), 1e3) * 0.2 + 1);
        }
        for (uint32_t o = 0; o < c.column; ++o) comparison.equal(r, o, y(r, o), kSentinel);
        for (uint32_t o = c.column + c.n; o < y.cols; ++o) comparison.equal(r, o, y(r, o), kSentinel);
    }
    comparison.untouched(y, c.rows, y.cols);
    comparison.check();
}

TEST_CASE("pack_int8_panels puts every element where the layout says and zeros the rest") {
    for (const uint32_t n : {1u, 63u, 64u, 65u, 130u}) {
        for (const uint32_t k : {1u, 3u, 4u, 5u, 18u}) {
            CAPTURE(n);
            CAPTURE(k);
            const auto rows = random_int8(n * k, n + k);
            const uint32_t padded = (n + 63) / 64 * 64, words = (k + 3) / 4;
            REQUIRE(ops::panel_bytes(n, k, DType::i8) == uint64_t(padded) * words * 4);
            std::vector<std::byte> packed(ops::panel_bytes(n, k, DType::i8), std::byte{0xff});
            ops::pack_int8_panels(rows, k, packed);
            uint32_t wrong = 0;
            for (uint32_t o = 0; o < padded; ++o)
                for (uint32_t i = 0; i < words * 4; ++i) {
                    const size_t at = (size_t(o / 64) * 64 * words + size_t(i / 4) * 64 + o % 64) * 4 + i % 4;
                    const int8_t expected = o < n && i < k ? rows[o * k + i] : int8_t{0};
                    wrong += int8_t(packed[at]) != expected;
                }
            CHECK(wrong == 0);
        }
    }
}

TEST_CASE("int8 products whose scale changes from panel to panel") {
    on_every_device([](Context& context) {
        for (const Types& types : sweep(kAllTypes, 1))
            for (const Kernel& kernel : kAllKernels)
                for (const uint32_t rows : sweep({3u, 1u, 9u, 70u}, 1))
                    for (const uint32_t n : {64u, 130u, 256u})
                        check(context, {.rows = rows,
                                        .n = n,
                                        .k = 68,
                                        .types = types,
                                        .kernel = kernel,
                                        .panel_scales = true,
                                        .bias = true});
    });
}

TEST_CASE("int8 products over odd shapes, every kernel and type, fixed and dynamic scales") {
    constexpr uint32_t kRows[] = {65, 3, 1, 130};  // float16: the first two
    constexpr uint32_t kShapes[][2] = {{65, 7}, {7, 63}, {1, 1}, {64, 65}, {63, 64}, {100, 100}, {256, 64}};
    on_every_device([&](Context& context) {
        for (const Types& types : kAllTypes)
            for (const Kernel& kernel : kAllKernels)
                for (const uint32_t rows : sweep(kRows, 2))
                    for (const auto& [n, k] : sweep(kShapes, types.x == DType::f16 ? 4 : std::size(kShapes))) {
                        const bool halves_too = full_sweep() ? rows == 3 || rows == 65 : rows == day_rows(kernel, 65);
                        if (types.x == DType::f16 && !halves_too) continue;
                        const Case fixed{.rows = rows, .n = n, .k = k, .types = types, .kernel = kernel};
                        check(context, fixed);
                        Case dynamic = fixed;
                        dynamic.input_scale = 0;
                        dynamic.divisor = rows % 2 ? 3u : 1u;
                        check(context, dynamic);
                        Case by_rows = fixed;
                        by_rows.input_scale = 0;
                        by_rows.alone = true;
                        check(context, by_rows);
                    }
    });
}

TEST_CASE("int8 sums are exact where floats are not") {
    on_every_device([&](Context& context) {
        for (const Kernel& kernel : kAllKernels)
            for (const uint32_t k : {1024u, 1040u, 2052u, 4999u})
                for (const uint32_t rows : {1u, 9u})
                    check(context, {.rows = rows, .n = 66, .k = k, .kernel = kernel, .extreme = true});
        for (const Kernel& kernel : kAllKernels)
            check(context, {.rows = 2, .n = 3, .k = 3100, .kernel = kernel, .bias = true});
    });
}

TEST_CASE("inputs are rounded to even and cut at 127") {
    const std::vector<float> x = {0.5f,    1.5f,   2.5f,   -0.5f,       -1.5f,  -2.5f,      0.0f,    -0.0f,
                                  126.4f,  126.5f, 126.6f, 127.0f,      127.5f, 128.0f,     -126.5f, -127.4f,
                                  -128.0f, 1e30f,  -1e30f, 0.49999997f, 1e-40f, 3.4999998f, 63.5f,   -64.5f};
    const std::vector<float> rounded = {0,   2,   2,    0,    -2,   -2,  0,    0, 126, 126, 127, 127,
                                        127, 127, -126, -127, -127, 127, -127, 0, 0,   3,   64,  -64};
    const auto k = uint32_t(x.size());
    on_every_device([&](Context& context) {
        std::vector<int8_t> identity(k * k);
        for (uint32_t i = 0; i < k; ++i) identity[i * k + i] = 1;
        for (const Kernel& kernel : kAllKernels) {
            if (!can_run(context, kernel, kF32)) continue;
            const auto input = upload(context, Matrix{1, k, x}, DType::f32), y = blank(context, 1, k, DType::f32);
            const auto w = upload_int8(context, identity, k);
            const auto units = upload(context, std::vector<float>(k, 1.0f));
            const LiveRows live(context, 1, 1);
            run(context, live, [&](Recorder& rec) {
                ops::matmul_int8(
                    rec, {.x = input, .input_scale = 1, .w = w.weight, .units = *units, .y = y, .rows = live.extent},
                    fitting(context, kernel.kernel, input, w.weight), kernel.products);
            });
            CHECK(download(context, y).values == rounded);
        }
    });
}

TEST_CASE("int8 products with every end") {
    on_every_device([&](Context& context) {
        for (const Kernel& kernel : kAllKernels) {
            for (const uint32_t options :
                 sweep({0u, 15u, 7u, 1u, 2u, 3u, 4u, 5u, 6u, 8u, 9u, 10u, 11u, 12u, 13u, 14u}, 3))
                check(context, {.rows = day_rows(kernel, 9),
                                .n = 70,
                                .k = 36,
                                .types = kAllTypes[options % std::size(kAllTypes)],
                                .kernel = kernel,
                                .activation = options % 3 ? Activation::swish : Activation::relu,
                                .input_scale = options & 8 ? 0.0f : 40.0f,
                                .alone = options % 2 == 1,
                                .scale = options == 0 ? -0.75f : 1.0f,
                                .bias = (options & 1) != 0,
                                .gate = (options & 2) != 0,
                                .residual = (options & 4) != 0,
                                .column = options % 5 * 3,
                                .padding = 4});
        }
    });
}

TEST_CASE("int8 products leave rows beyond the live ones alone, direct and indirect") {
    on_every_device([&](Context& context) {
        for (const Kernel& kernel : kAllKernels)
            for (const bool indirect : {false, true})
                for (const uint32_t rows : {0u, 1u, 8u, 37u, 64u})
                    check(context, {.rows = rows,
                                    .n = 66,
                                    .k = 65,
                                    .kernel = kernel,
                                    .input_scale = rows % 2 ? 0.0f : 30.0f,
                                    .alone = rows == 37,
                                    .bias = true,
                                    .capacity = 130,
                                    .padding = 1,
                                    .indirect = indirect});
    });
}

TEST_CASE("a group of zeros gives the bias") {
    on_every_device([&](Context& context) {
        for (const bool alone : {false, true}) {
            Case c{.rows = 4, .n = 5, .k = 8, .input_scale = 0, .alone = alone, .bias = true};
            Inputs in(c);
            for (float& value : in.x.values) value = 0.0f;
            const Matrix y = compute(context, c, in);
            for (uint32_t r = 0; r < c.rows; ++r)
                for (uint32_t o = 0; o < c.n; ++o) CHECK(y(r, o) == in.bias(0, o));
        }
    });
}

TEST_CASE("numbers that are not finite show in every output of their row") {
    on_every_device([&](Context& context) {
        for (const Kernel& kernel : kAllKernels)
            for (const float value : {INFINITY, -INFINITY, NAN}) {
                Case c{.rows = 3, .n = 66, .k = 24, .kernel = kernel, .input_scale = 0, .alone = true, .bias = true};
                if (!can_run(context, kernel, c.types)) continue;
                CAPTURE(value);
                CAPTURE(kernel_name(kernel));
                const Inputs finite(c);
                Inputs broken = finite;
                for (uint32_t i = 0; i < c.k; ++i) broken.x.values[c.k + i] = i == 7 || std::isnan(value) ? value : 1;
                const Matrix y = compute(context, c, broken), expected = compute(context, c, finite);
                for (uint32_t o = 0; o < c.n; ++o) {
                    CHECK(std::isnan(y(1, o)));
                    CHECK(y(0, o) == expected(0, o));
                    CHECK(y(2, o) == expected(2, o));
                }
            }
    });
}

TEST_CASE("every int8 kernel gives the same bits, whatever the neighbours") {
    constexpr uint32_t kRows = 132;
    on_every_device([&](Context& context) {
        for (const uint32_t k : sweep({100u, 103u}, 1))
            for (const float input_scale : {0.0f, 33.0f}) {
                Case c{.rows = kRows,
                       .n = 130,
                       .k = k,
                       .kernel = kTiled,
                       .activation = Activation::gelu,
                       .input_scale = input_scale,
                       .scale = 0.3f,
                       .bias = true,
                       .gate = true,
                       .residual = true};
                Inputs in(c);
                const Matrix expected = compute(context, c, in);
                for (const uint32_t rows : sweep({66u, 3u, 6u, 63u, 132u}, 2)) {
                    Inputs last = in;  // its last `rows` rows: whole groups
                    for (Matrix* m : {&last.x, &last.gate, &last.residual}) {
                        m->values.erase(m->values.begin(), m->values.end() - ptrdiff_t(rows) * m->cols);
                        m->rows = rows;
                    }
                    last.map.erase(last.map.begin(), last.map.end() - rows);
                    c.rows = rows;
                    for (const Kernel& kernel : kAllKernels) {
                        if (!can_run(context, kernel, c.types) || rows > day_rows(kernel, rows)) continue;
                        CAPTURE(k);
                        CAPTURE(rows);
                        CAPTURE(kernel_name(kernel));
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

}  // namespace
}  // namespace dragoman::test::matmul_int8_test
